// A connection to a database, as its users see it.

internal import CSQLite

/// The handle of a connection. Statements keep it open.
final class Connection {
  private(set) var handle: OpaquePointer?
  /// Prepares the library, once per process.
  private static let library: Void = dray_sqlite3_count_no_memory()

  /// Opens a database.
  /// - Parameter path: The path of the file; empty for a database in memory.
  init(_ path: String, _ configuration: Configuration) throws(DatabaseError) {
    let mode = configuration.readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    Connection.library
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

  /// Returns the handle.
  /// - Throws: `misuse` after the connection was closed.
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

/// A connection in the closures of ``DatabaseQueue``, where it may be used.
package final class Database {
  private let connection: Connection
  private var cache: [String: Statement] = [:]

  init(_ path: String, _ configuration: Configuration) throws(DatabaseError) {
    connection = try Connection(path, configuration)
    try execute(sql: "PRAGMA foreign_keys = ON")
    // Report a file that is not a database now, not at its first use.
    _ = try Row.fetchOne(self, sql: "SELECT * FROM sqlite_master LIMIT 1")
  }

  /// Closes the connection and its cached statements.
  func close() throws(DatabaseError) {
    cache = [:]
    try connection.close()
  }

  /// The version of the installed SQLite.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  // MARK: Statements

  /// Compiles a statement.
  package func makeStatement(sql: String) throws(DatabaseError) -> Statement { try compile(sql, isKept: false) }

  /// Returns the cached statement for a text. It is compiled on first use. While it is in use, another one is compiled.
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

  /// Calls `body` with a text for SQLite, which ends with a zero byte.
  private func withText<Result>(
    _ sql: String, _ body: (inout UnsafePointer<CChar>) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let bytes = ContiguousArray(sql.utf8CString)
    return try bytes.withUnsafeBufferPointer { (buffer) throws(DatabaseError) in
      guard var text = buffer.baseAddress else { throw DatabaseError(SQLITE_MISUSE, "empty statement") }
      return try body(&text)
    }
  }

  /// Sets the memory for pages of the database. Less than before frees memory at once.
  package func setCache(kilobytes: Int) throws(DatabaseError) {
    try execute(sql: "PRAGMA cache_size = -\(max(1, kilobytes))")
  }

  // MARK: Changes

  /// The number of rows that the last statement changed.
  package var changesCount: Int { connection.handle.map { Int(sqlite3_changes($0)) } ?? 0 }
  /// The number of rows changed since the connection was opened.
  package var totalChangesCount: Int { connection.handle.map { Int(sqlite3_total_changes($0)) } ?? 0 }
  /// The row id of the last insert.
  package var lastInsertedRowID: Int64 { connection.handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  // MARK: Transactions

  /// The time when a transaction takes the write lock.
  package enum TransactionKind: String {
    /// At its first write.
    case deferred = "DEFERRED"
    /// At its start.
    case immediate = "IMMEDIATE"
  }

  /// Begins a transaction.
  package func beginTransaction(_ kind: TransactionKind) throws(DatabaseError) {
    try cachedStatement(sql: "BEGIN \(kind.rawValue) TRANSACTION").execute()
  }

  /// Commits the transaction.
  package func commit() throws(DatabaseError) { try cachedStatement(sql: "COMMIT TRANSACTION").execute() }

  /// Rolls back the transaction, unless SQLite has already done so.
  package func rollback() throws(DatabaseError) {
    guard isInsideTransaction else { return }
    try cachedStatement(sql: "ROLLBACK TRANSACTION").execute()
  }

  /// Whether a transaction is open.
  package var isInsideTransaction: Bool { connection.handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// Runs `body` in a transaction, which is rolled back if it throws.
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

  /// Whether there is a table with a name.
  package func tableExists(_ name: String) throws(DatabaseError) -> Bool {
    try Bool.fetchOne(
      self, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?)", arguments: [name])
      ?? false
  }
}
