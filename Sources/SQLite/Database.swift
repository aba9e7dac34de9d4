// A connection to a database, as its users see it.

internal import CSQLite

/// The handle of a connection. Statements keep it open.
final class DatabaseHandle {
  private(set) var handle: OpaquePointer?
  private static let library: Void = dray_sqlite3_count_no_memory()

  /// Opens a database.
  /// - Parameter path: The path of the file; empty for a database in memory.
  init(_ path: String, _ configuration: DatabaseConfiguration) throws(DatabaseError) {
    let mode = configuration.readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    DatabaseHandle.library
    // Access is serialized outside SQLite.
    let code = sqlite3_open_v2(path.isEmpty ? ":memory:" : path, &handle, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else {
      let error = DatabaseError(code, of: handle)
      sqlite3_close_v2(handle)
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    dray_sqlite3_refuse_quoted_texts(handle)
    sqlite3_busy_timeout(handle, Int32(max(0, min(configuration.busyTimeout * 1000, 1e9))))
  }

  deinit { sqlite3_close_v2(handle) }

  /// Throws `misuse` after the connection was closed.
  func open() throws(DatabaseError) -> OpaquePointer {
    guard let handle else { throw DatabaseError(SQLITE_MISUSE, "the connection is closed") }
    return handle
  }

  /// Closes the connection. It remains open until its last statement is gone.
  func close() throws(DatabaseError) {
    guard let handle else { return }
    let code = sqlite3_close_v2(handle)
    guard code == SQLITE_OK else { throw DatabaseError(code, of: handle) }
    self.handle = nil
  }
}

/// A connection as the closures of ``DatabaseQueue`` see it. Use it only inside them.
package final class Database {
  private let connection: DatabaseHandle
  private var cache: [String: Statement] = [:]

  init(_ path: String, _ configuration: DatabaseConfiguration) throws(DatabaseError) {
    connection = try DatabaseHandle(path, configuration)
    try execute(sql: "PRAGMA foreign_keys = ON")
    // Read once, so that a file that is no database is reported now.
    _ = try Row.fetchOne(self, sql: "SELECT * FROM sqlite_master LIMIT 1")
  }

  func close() throws(DatabaseError) {
    cache = [:]
    try connection.close()
  }

  /// The version of the installed SQLite.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  // MARK: Statements

  package func makeStatement(sql: String) throws(DatabaseError) -> Statement { try compile(sql, isKept: false) }

  /// Returns the cached statement for a text, compiled on first use. If the cached statement is in use, another one is
  /// compiled.
  package func cachedStatement(sql: String) throws(DatabaseError) -> Statement {
    try cachedStatement(named: sql) { sql }
  }

  /// Returns the cached statement with a name, whose text is needed on first use.
  package func cachedStatement(named name: String, _ sql: () -> String) throws(DatabaseError) -> Statement {
    if let known = cache[name] {
      guard known.isBusy else { return known }
      return try compile(sql(), isKept: false)
    }
    let statement = try compile(sql(), isKept: true)
    cache[name] = statement
    return statement
  }

  private func compile(_ sql: String, isKept: Bool) throws(DatabaseError) -> Statement {
    let compiled = Result { () throws(DatabaseError) in
      try withText(sql) { (text) throws(DatabaseError) in
        try Statement.first(in: &text, connection, isKept: isKept)
      }
    }
    guard let statement = try compiled.get() else { throw DatabaseError(SQLITE_MISUSE, "empty statement", sql: sql) }
    return statement
  }

  /// Runs all statements of a text in order. Positional arguments are distributed over them in the same order.
  package func execute(sql: String, arguments: StatementArguments = []) throws(DatabaseError) {
    var rest = arguments.values[...]
    try withText(sql) { (text) throws(DatabaseError) in
      while let statement = try Statement.first(in: &text, connection, isKept: false) {
        try statement.begin(arguments.named, &rest)
        defer { statement.reset() }
        while try statement.step() {}
      }
    }
    guard rest.isEmpty else { throw DatabaseError(SQLITE_MISUSE, "wrong number of statement arguments", sql: sql) }
  }

  private func withText<Result>(
    _ sql: String, _ body: (inout UnsafePointer<CChar>) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let bytes = ContiguousArray(sql.utf8CString)
    return try bytes.withUnsafeBufferPointer { (buffer) throws(DatabaseError) in
      guard var text = buffer.baseAddress else { throw DatabaseError(SQLITE_MISUSE, "empty statement") }
      return try body(&text)
    }
  }

  /// If the cache becomes smaller, memory is freed at once.
  package func setCache(kilobytes: Int) throws(DatabaseError) {
    try execute(sql: "PRAGMA cache_size = -\(max(1, kilobytes))")
  }

  // MARK: Changes

  package var changesCount: Int { connection.handle.map { Int(sqlite3_changes($0)) } ?? 0 }
  package var totalChangesCount: Int { connection.handle.map { Int(sqlite3_total_changes($0)) } ?? 0 }
  package var lastInsertedRowID: Int64 { connection.handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  // MARK: Transactions

  /// The time when a transaction takes the write lock.
  package enum TransactionKind: String {
    case deferred = "DEFERRED"
    case immediate = "IMMEDIATE"
  }

  package func beginTransaction(_ kind: TransactionKind) throws(DatabaseError) {
    try cachedStatement(sql: "BEGIN \(kind.rawValue) TRANSACTION").execute()
  }

  package func commit() throws(DatabaseError) { try cachedStatement(sql: "COMMIT TRANSACTION").execute() }

  /// Rolls back the transaction, unless SQLite has already done so.
  package func rollback() throws(DatabaseError) {
    guard isInsideTransaction else { return }
    try cachedStatement(sql: "ROLLBACK TRANSACTION").execute()
  }

  package var isInsideTransaction: Bool { connection.handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// The transaction is rolled back if `body` throws.
  package func inTransaction<Result>(_ kind: TransactionKind, _ body: () throws -> Result) throws -> Result {
    try beginTransaction(kind)
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      // Report the first error only.
      try? rollback()
      throw error
    }
  }

  package func tableExists(_ name: String) throws(DatabaseError) -> Bool {
    try Bool.fetchOne(
      self, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?)", arguments: [name])
      ?? false
  }
}
