// A connection that any number of threads share.

internal import Dispatch

/// How a database is opened.
package struct Configuration: Sendable {
  /// The name of the queue.
  package var label = "sqlite"
  /// Whether nothing may be written.
  package var readonly = false
  /// Seconds to wait for another connection that holds a lock.
  package var busyTimeout = 0.0

  package init() {}
}

/// One connection, used by one thread at a time. Foreign keys are checked.
package final class DatabaseQueue: @unchecked Sendable {
  // Used on the queue only.
  private let database: Database
  private let queue: DispatchQueue

  /// Opens the database of a file, which is made where it is missing and may be written.
  package init(path: String, configuration: Configuration = Configuration()) throws(DatabaseError) {
    queue = DispatchQueue(label: configuration.label)
    database = try Database(path, configuration)
  }

  /// Makes a database in memory.
  package convenience init() throws(DatabaseError) { try self.init(path: "") }

  /// Runs `body` on the connection when nobody else does, and returns when it is done. Each of its statements is a
  /// transaction of its own, unless it begins one. Must not be called within another call of it.
  package func access<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    dispatchPrecondition(condition: .notOnQueue(queue))
    return try queue.sync { try body(database) }
  }

  /// Closes the connection; whoever uses it later gets `misuse`.
  package func close() throws { try queue.sync { try database.close() } }
}
