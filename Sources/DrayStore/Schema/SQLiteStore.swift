// The job store in SQLite: one database that any number of processes share.

import Dispatch
import DrayCore
import SQLite
import Synchronization
import Threads

/// All jobs, in one SQLite database (``JobStoring``).
final class SQLiteStore: Sendable {
  /// Where it is.
  let directory: StateDirectory
  /// The connection that changes the store. Temporary tables, and so scopes, are this connection's only.
  private let writer: StoreDesk
  /// A second connection for calls that only look; `nil` if the writer's is used.
  private let reader: StoreDesk?
  /// Seconds that a call waits for another process that holds the store.
  private let busyTimeout: Double
  /// Counts of queued jobs by scope, as of which version of the data.
  let tallies = Mutex<[Int: Int]>([:])
  /// What `PRAGMA synchronous` stands at.
  private let durability = Mutex(Durability.durable)
  /// Reports changes.
  let monitor = ChangeMonitor()

  /// Uses connections that are ready.
  /// - Parameter queue: where callers that must not block have their calls run; without one, on a thread of the store's own.
  init(
    _ directory: StateDirectory, _ writer: DatabaseQueue, reader: DatabaseQueue? = nil, busyTimeout: Double,
    queue: DispatchQueue? = nil
  ) {
    (self.directory, self.busyTimeout) = (directory, busyTimeout)
    self.writer = StoreDesk(writer, queue ?? DispatchQueue(label: "dray.store", qos: .userInitiated))
    self.reader = reader.map { StoreDesk($0, DispatchQueue(label: "dray.reader", qos: .userInitiated)) }
  }

  var path: String { directory.databasePath }

  /// The version of the SQLite in use: `3.40.1`.
  static var sqliteVersion: String { Database.libraryVersion }

  /// What a write has survived when its method returns.
  enum Durability: String {
    /// A power cut: the log is synced (`synchronous = FULL`).
    case durable = "FULL"
    /// The end of this process. It is atomic and in order with all other writes, other processes see it at once, and
    /// the next durable write makes it durable too (`synchronous = NORMAL`).
    case lazy = "NORMAL"
  }

  /// Runs `body` in a transaction that begins with the write lock, so that it never has to be upgraded. Writers come one after
  /// the other, in the order of their asking.
  func write<T: Sendable>(
    _ wanted: Durability, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws(Failure) -> T {
    try await access { [self] db in
      // The pragma does nothing inside of a transaction.
      try durability.withLock { current in
        guard current != wanted else { return }
        try db.execute(sql: "PRAGMA synchronous = \(wanted.rawValue)")
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
        // The first error is the one to report; SQLite may have rolled back by itself.
        try? db.rollback()
        throw error
      }
    }
  }

  private func turn(_ db: Database) -> StoreTurn {
    StoreTurn(in: directory.path, waiting: busyTimeout) { (try? SQLiteStore.dataVersion(db)) ?? 0 }
  }

  /// Changes whenever another connection writes.
  private static func dataVersion(_ db: Database) throws -> Int {
    try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
  }

  /// Runs `body` on the writer's connection; each of its statements is a transaction of its own.
  func access<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws(Failure) -> T {
    try await writer.run(path, body)
  }

  /// Runs `body`, which only looks. In SQLite's log mode a reader waits for no writer, and sees all that was written before it began.
  func look<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws(Failure) -> T {
    try await desk.run(path, body)
  }

  /// The thread of what must not block, and the connection on it. Leases are looked at like records.
  var desk: StoreDesk { reader ?? writer }

  /// Closes the database, and merges its log if no one else has it open. A store that is simply released closes by itself; one
  /// that is open when the process ends loses nothing, but leaves its log.
  func close() throws(Failure) {
    do {
      try reader?.connection.close()
      try writer.connection.close()
    } catch {
      throw StoreFailure.make(error, path: path)
    }
  }

  func changeMark() async throws(Failure) -> ChangeMark { try await look(SQLiteStore.mark) }

  /// The mark, for a thread that may block.
  func changeMarkBlocking() throws(Failure) -> ChangeMark { try desk.access(path, SQLiteStore.mark) }

  @Sendable private static func mark(_ db: Database) throws -> ChangeMark {
    // Of other connections SQLite reports only that there was something, of its own how many rows.
    ChangeMark(others: try dataVersion(db), own: db.totalChangesCount)
  }
}

/// One connection, and the thread on which it is used for callers that must not block.
struct StoreDesk: Sendable {
  let connection: DatabaseQueue
  private let queue: DispatchQueue

  init(_ connection: DatabaseQueue, _ queue: DispatchQueue) {
    (self.connection, self.queue) = (connection, queue)
    BlockingThread.mark(queue)
  }

  /// Runs `body` on the connection.
  func run<T: Sendable>(
    _ path: String, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws(Failure) -> T {
    try await hop { () throws(Failure) in try access(path, body) }
  }

  /// Runs `body` at once on a thread that may block, else on the connection's own.
  func hop<T: Sendable>(_ body: @escaping @Sendable () throws(Failure) -> T) async throws(Failure) -> T {
    if BlockingThread.isCurrent { return try body() }
    let result: Result<T, Failure> = await withCheckedContinuation { continuation in
      queue.async {
        do throws(Failure) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  /// Runs `body` on the connection now; blocks.
  func access<T>(_ path: String, _ body: (Database) throws -> T) throws(Failure) -> T {
    do {
      return try connection.access(body)
    } catch {
      throw StoreFailure.make(error, path: path)
    }
  }
}
