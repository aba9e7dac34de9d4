// A statement, compiled once and run any number of times.

internal import CSQLite

/// Belongs to its connection, and must be used on the same thread.
package final class Statement {
  private let handle: OpaquePointer
  /// Keeps the connection open while the statement exists.
  private let connection: DatabaseHandle
  package let sql: String
  /// The name of each parameter without its colon; `nil` for a positional one.
  private let parameters: [String?]
  /// Whether no parameter has a name.
  private let isPositional: Bool

  /// Compiles the first statement of a text.
  /// - Parameter text: UTF-8 that ends with a zero byte. On return, it is the text after the statement.
  /// - Returns: `nil` if only white space and comments are left.
  static func first(
    in text: inout UnsafePointer<CChar>, _ connection: DatabaseHandle, isKept: Bool
  ) throws(DatabaseError) -> Statement? {
    var handle: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    let start = text
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = sqlite3_prepare_v3(try connection.open(), start, -1, flags, &handle, &tail)
    guard code == SQLITE_OK else {
      throw DatabaseError(code, of: connection.handle, sql: String(cString: start))
    }
    text = tail ?? start
    guard let handle else { return nil }
    return Statement(handle, connection)
  }

  private init(_ handle: OpaquePointer, _ connection: DatabaseHandle) {
    (self.handle, self.connection) = (handle, connection)
    sql = sqlite3_sql(handle).map { String(cString: $0) } ?? ""
    // `?1` also has a name, which is its position.
    parameters = (0..<sqlite3_bind_parameter_count(handle)).map { index in
      guard let name = sqlite3_bind_parameter_name(handle, index + 1), name.pointee != CChar(UInt8(ascii: "?")) else {
        return nil
      }
      return String(cString: name + 1)
    }
    isPositional = parameters.allSatisfy { $0 == nil }
  }

  deinit { sqlite3_finalize(handle) }

  /// Whether it was started and has not run to its end.
  var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

  // MARK: Running

  package func execute(arguments: StatementArguments = []) throws(DatabaseError) {
    try begin(arguments)
    defer { reset() }
    while try step() {}
  }

  /// Binds all parameters, so that the statement can be stepped.
  func begin(_ arguments: StatementArguments) throws(DatabaseError) {
    // Long lists bind thousands of values by their places.
    if isPositional, arguments.named.isEmpty, arguments.values.count == parameters.count {
      reset()
      for index in arguments.values.indices { try bind(arguments.values[index], index) }
      return
    }
    var rest = arguments.values[...]
    try begin(arguments.named, &rest)
    guard rest.isEmpty else {
      throw DatabaseError(SQLITE_MISUSE, "wrong number of statement arguments", sql: sql)
    }
  }

  /// Binds all parameters; the ones without names to the first of `rest`.
  func begin(_ named: [(name: String, value: DatabaseValue)], _ rest: inout ArraySlice<DatabaseValue>)
    throws(DatabaseError)
  {
    reset()
    for (index, name) in parameters.enumerated() {
      if let name {
        guard let value = named.first(where: { $0.name == name })?.value else { throw missing(":" + name) }
        try bind(value, index)
      } else {
        guard let value = rest.popFirst() else { throw missing("?\(index + 1)") }
        try bind(value, index)
      }
    }
  }

  private func missing(_ parameter: String) -> DatabaseError {
    DatabaseError(SQLITE_MISUSE, "missing statement argument \(parameter)", sql: sql)
  }

  private func bind(_ value: DatabaseValue, _ place: Int) throws(DatabaseError) {
    // SQLite counts from 1.
    let index = Int32(place + 1)
    // Has SQLite copy the bytes.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let code =
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let number): sqlite3_bind_int64(handle, index, number)
      case .real(let number): sqlite3_bind_double(handle, index, number)
      // An empty text may have no address, which SQLite would take for NULL.
      case .text(""): sqlite3_bind_text(handle, index, "", 0, transient)
      case .text(var text):
        text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text64(handle, index, $0.baseAddress, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
          }
        }
      case .blob(let bytes):
        bytes.isEmpty
          ? sqlite3_bind_zeroblob(handle, index, 0)
          : bytes.withUnsafeBytes { sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), transient) }
      }
    guard code == SQLITE_OK else { throw DatabaseError(code, of: connection.handle, sql: sql) }
  }

  func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw DatabaseError(code, of: connection.handle, sql: sql)
    }
  }

  /// Resets the statement, and releases its locks. A failed step has already reported its error.
  func reset() { sqlite3_reset(handle) }

  // MARK: The present row

  var columnCount: Int { Int(sqlite3_column_count(handle)) }

  func columnName(_ index: Int) -> String {
    sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) } ?? ""
  }

  func value(_ index: Int) -> DatabaseValue {
    let index = Int32(index)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(handle, index) else { return .null }
      let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, index)))
      return .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(handle, index)
      return .blob(Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, index)))))
    default: return .null
    }
  }
}
