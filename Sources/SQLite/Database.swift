// One connection to a database, as it is seen where it may be used.

internal import CSQLite

/// The handle of a connection, which its statements keep open.
final class Connection {
  private(set) var handle: OpaquePointer?

  /// Opens a database.
  /// - Parameter path: of the file; empty for a database in memory.
  init(_ path: String, _ configuration: Configuration) throws(DatabaseError) {
    let mode = configuration.readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    // Whoever uses it takes turns outside of SQLite.
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

  /// The handle.
  /// - Throws: `misuse` once it is closed.
  func open() throws(DatabaseError) -> OpaquePointer {
    guard let handle else { throw DatabaseError(SQLITE_MISUSE, "the connection is closed") }
    return handle
  }

  /// Closes it; statements that are still there end it when they go.
  func close() throws(DatabaseError) {
    guard let handle else { return }
    let code = sqlite3_close_v2(handle)
    guard code == SQLITE_OK else { throw DatabaseError(code, of: handle) }
    self.handle = nil
  }
}

/// A connection, where it may be used: in the closures of ``DatabaseQueue``.
package final class Database {
  private let connection: Connection
  private var cache: [String: Statement] = [:]

  init(_ path: String, _ configuration: Configuration) throws(DatabaseError) {
    connection = try Connection(path, configuration)
    try execute(sql: "PRAGMA foreign_keys = ON")
    // Reports what is not a database now, and not at the first use.
    _ = try Row.fetchOne(self, sql: "SELECT * FROM sqlite_master LIMIT 1")
  }

  /// Closes it, with all of its statements.
  func close() throws(DatabaseError) {
    cache = [:]
    try connection.close()
  }

  /// The version of the SQLite in use.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  // MARK: Statements

  /// Compiles a statement.
  package func makeStatement(sql: String) throws(DatabaseError) -> Statement { try compile(sql, isKept: false) }

  /// The statement of this text, compiled when it is asked for first. While it is in use, another one is compiled.
  package func cachedStatement(sql: String) throws(DatabaseError) -> Statement {
    if let known = cache[sql] {
      guard known.isBusy else { return known }
      return try compile(sql, isKept: false)
    }
    let statement = try compile(sql, isKept: true)
    cache[sql] = statement
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

  /// Runs all statements of a text one after the other; arguments by place are divided among them in this order.
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

  /// A text for SQLite, with a zero at its end.
  private func withText<Result>(
    _ sql: String, _ body: (inout UnsafePointer<CChar>) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let bytes = ContiguousArray(sql.utf8CString)
    return try bytes.withUnsafeBufferPointer { (buffer) throws(DatabaseError) in
      guard var text = buffer.baseAddress else { throw DatabaseError(SQLITE_MISUSE, "empty statement") }
      return try body(&text)
    }
  }

  // MARK: What was changed

  /// Rows that the last statement changed.
  package var changesCount: Int { connection.handle.map { Int(sqlite3_changes($0)) } ?? 0 }
  /// Rows that were changed since it was opened.
  package var totalChangesCount: Int { connection.handle.map { Int(sqlite3_total_changes($0)) } ?? 0 }
  /// The row that was inserted last.
  package var lastInsertedRowID: Int64 { connection.handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  // MARK: Transactions

  /// When a transaction takes the write lock.
  package enum TransactionKind: String {
    /// With its first write.
    case deferred = "DEFERRED"
    /// At once.
    case immediate = "IMMEDIATE"
  }

  /// Begins a transaction.
  package func beginTransaction(_ kind: TransactionKind) throws(DatabaseError) {
    try cachedStatement(sql: "BEGIN \(kind.rawValue) TRANSACTION").execute()
  }

  /// Makes the transaction's changes permanent.
  package func commit() throws(DatabaseError) { try cachedStatement(sql: "COMMIT TRANSACTION").execute() }

  /// Takes the transaction's changes back, unless SQLite has done so by itself.
  package func rollback() throws(DatabaseError) {
    guard isInsideTransaction else { return }
    try cachedStatement(sql: "ROLLBACK TRANSACTION").execute()
  }

  /// Whether a transaction was begun.
  package var isInsideTransaction: Bool { connection.handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// Runs `body` in a transaction, which is taken back if it throws.
  package func inTransaction<Result>(_ kind: TransactionKind, _ body: () throws -> Result) throws -> Result {
    try beginTransaction(kind)
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      // The first error is the one to report.
      try? rollback()
      throw error
    }
  }

  /// Whether there is a table of this name.
  package func tableExists(_ name: String) throws(DatabaseError) -> Bool {
    try Bool.fetchOne(
      self, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?)", arguments: [name])
      ?? false
  }
}
