// The job store: one SQLite database that any number of processes share.

package import DrayCore
import SQLite
import Synchronization

/// All jobs, in SQLite. Every method blocks until it is done, and may wait for another process as long as the store
/// was opened to; none belongs on the loop thread. Times are seconds since 1970.
///
/// Every method throws a ``DrayCore/Failure`` of kind `store` that names the database and the cause. Methods of a
/// holder (those that take a `runner`) change a job only while that runner has it, and return whether it does: after a
/// `false` not a byte may be written to its files (P9).
package final class JobStore: Sendable {
  /// Where it is.
  let directory: StateDirectory
  /// The database's path.
  package var path: String { directory.databasePath }
  /// How long a call waits for another process that holds the store, in seconds.
  private let busyTimeout: Double
  /// Serializes the one connection.
  let queue: DatabaseQueue
  /// Counts of queued jobs by scope, as of which version of the data.
  let tallies = Mutex<[Int: Int]>([:])
  /// What `PRAGMA synchronous` stands at.
  private let durability = Mutex(Durability.durable)
  /// Reports that it was changed.
  let monitor = ChangeMonitor()

  /// Uses a connection that is ready.
  init(_ directory: StateDirectory, queue: DatabaseQueue, busyTimeout: Double) {
    self.directory = directory
    self.queue = queue
    self.busyTimeout = busyTimeout
  }

  /// The version of the SQLite in use: `3.40.1`.
  package static var sqliteVersion: String { Database.libraryVersion }

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
  func write<T>(_ wanted: Durability, _ body: (Database) throws -> T) throws(Failure) -> T {
    try access { db in
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
    StoreTurn(in: directory.path, waiting: busyTimeout) { (try? JobStore.dataVersion(db)) ?? 0 }
  }

  /// A number that is another one once another connection has changed the store.
  private static func dataVersion(_ db: Database) throws -> Int {
    try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
  }

  /// Runs `body` on the connection; each of its statements is a transaction of its own.
  func access<T>(_ body: (Database) throws -> T) throws(Failure) -> T {
    do {
      return try queue.access(body)
    } catch {
      throw StoreFailure.make(error, path: path)
    }
  }

  /// Closes the database, and merges its log if no one else has it open; every later call throws. A store that is
  /// simply let go of closes by itself; one that is open when the process ends loses nothing, but leaves its log.
  package func close() throws(Failure) {
    do {
      try queue.close()
    } catch {
      throw StoreFailure.make(error, path: path)
    }
  }

  /// A mark that differs once anything in the store was changed, through this store or by another process.
  package func changeMark() throws(Failure) -> ChangeMark {
    try access { db in
      // Of other connections SQLite reports only that there was something, of its own how many rows.
      ChangeMark(others: try JobStore.dataVersion(db), own: db.totalChangesCount)
    }
  }
}

/// How far a store has changed: two that are equal were taken with no change between them.
public struct ChangeMark: Sendable, Equatable {
  private let others: Int
  private let own: Int

  /// Made by the store.
  /// - Parameters:
  ///   - others: a number that is another one after each change that others made,
  ///   - own: and one for the changes through the same connection.
  public init(others: Int, own: Int) { (self.others, self.own) = (others, own) }
}
