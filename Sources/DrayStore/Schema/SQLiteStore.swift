internal import DrayCore
internal import SQLite
internal import Synchronization
internal import Threads

/// The job store in SQLite (``JobStoring``): one database for any number of processes on one machine.
final class SQLiteStore: Sendable {
  let directory: StateDirectory
  /// The connection that changes the store. Only this connection has the temporary tables of scopes.
  private let writer: StoreExecutor
  /// A second connection for read-only calls; `nil` if read-only calls use ``writer``.
  private let reader: StoreExecutor?
  /// The seconds that a call waits if another process blocks the store.
  private let busyTimeout: Double
  /// The version of the data at which the queued jobs of each scope were last counted.
  let tallies = Mutex<[Int: Int]>([:])
  let windows = KnownWindows()
  /// The current value of `PRAGMA synchronous`.
  private let durability = Mutex(Durability.durable)
  let monitor = ChangeMonitor()

  /// Creates a store with connections that are already open.
  /// - Parameter executor: Runs the calls of callers that must not block; with `nil`, a thread of the store runs them.
  init(
    _ directory: StateDirectory, _ writer: DatabaseQueue, reader: DatabaseQueue? = nil, busyTimeout: Double,
    executor: BlockingExecutor? = nil
  ) {
    (self.directory, self.busyTimeout) = (directory, busyTimeout)
    self.writer = StoreExecutor(writer, executor ?? BlockingExecutor("dray.store"))
    self.reader = reader.map { StoreExecutor($0, BlockingExecutor("dray.reader")) }
  }

  var path: String { directory.databasePath }
  var label: String { directory.path }

  static var sqliteVersion: String { Database.libraryVersion }

  /// Runs `body` in a transaction. The transaction takes the write lock first, so that it never has to upgrade a read
  /// lock. Writers take turns in the order of their requests.
  func write<T: Sendable>(
    _ wanted: Durability, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws(Failure) -> T {
    try await access { [self] db in
      // Set the pragma before the transaction, because it has no effect inside one.
      try durability.withLock { current in
        guard current != wanted else { return }
        try db.execute(sql: "PRAGMA synchronous = \(wanted == .durable ? "FULL" : "NORMAL")")
        current = wanted
      }
      let turn = turn(db)
      defer { turn.end() }
      try db.beginTransaction(.immediate)
      do {
        let result = try body(db)
        try db.commit()
        return result
      } catch {
        // Report the first error, not one from the rollback: SQLite may already have rolled back.
        try? db.rollback()
        throw error
      }
    }
  }

  private func turn(_ db: Database) -> StoreTurn {
    StoreTurn(in: directory.path, waiting: busyTimeout) { (try? SQLiteStore.dataVersion(db)) ?? 0 }
  }

  /// Returns a number that changes whenever another connection writes.
  private static func dataVersion(_ db: Database) throws -> Int {
    try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
  }

  /// Runs `body` on the writer's connection. Each statement of `body` is a separate transaction.
  func access<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws(Failure) -> T {
    try await writer.run(path, body)
  }

  /// Runs the read-only `body`. In SQLite's log mode, a reader waits for no writer, and sees everything that was
  /// written before it started.
  func look<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws(Failure) -> T {
    try await executor.run(path, body)
  }

  /// The connection for read-only calls, with its thread. Leases use the same thread.
  var executor: StoreExecutor { reader ?? writer }

  /// Closes the database, and merges its log if no other connection is open. Releasing a store closes it, too. If the
  /// process ends with an open store, nothing is lost, but the log remains.
  func close() throws(Failure) {
    do {
      try reader?.connection.close()
      try writer.connection.close()
    } catch {
      throw StoreFailure.make(error, path: path)
    }
  }

  func changeMark() async throws(Failure) -> ChangeMark { try await look(SQLiteStore.mark) }

  func changeMarkBlocking() throws(Failure) -> ChangeMark { try executor.access(path, SQLiteStore.mark) }

  @Sendable private static func mark(_ db: Database) throws -> ChangeMark {
    // SQLite reports only whether other connections changed anything. For this connection, it counts the changed rows.
    ChangeMark(others: try dataVersion(db), own: db.totalChangesCount)
  }
}

/// A connection, and the thread that uses the connection for callers that must not block.
struct StoreExecutor: Sendable {
  let connection: DatabaseQueue
  /// Runs the calls of callers that must not block.
  let thread: BlockingExecutor

  init(_ connection: DatabaseQueue, _ thread: BlockingExecutor) {
    (self.connection, self.thread) = (connection, thread)
  }

  func run<T: Sendable>(
    _ path: String, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws(Failure) -> T {
    try await thread.call { () throws(Failure) in try access(path, body) }
  }

  /// Runs `body` on the connection at once, on the calling thread, which this may block.
  func access<T>(_ path: String, _ body: (Database) throws -> T) throws(Failure) -> T {
    do {
      return try connection.access(body)
    } catch {
      throw StoreFailure.make(error, path: path)
    }
  }
}
