// A connection shared by any number of threads.

internal import Dispatch

package struct DatabaseConfiguration: Sendable {
  package var label = "sqlite"
  package var readonly = false
  /// The seconds to wait for another connection's lock.
  package var busyTimeout = 0.0

  package init() {}
}

/// A connection that is used by one thread at a time. Foreign keys are enforced.
package final class DatabaseQueue: @unchecked Sendable {
  // Used on the queue only.
  private let database: Database
  private let queue: DispatchQueue

  /// Creates the file if it is missing, unless opened for reading only.
  package init(path: String, configuration: DatabaseConfiguration = DatabaseConfiguration()) throws(DatabaseError) {
    queue = DispatchQueue(label: configuration.label)
    database = try Database(path, configuration)
  }

  package convenience init() throws(DatabaseError) { try self.init(path: "") }

  /// Runs `body` on the connection once no other thread uses it, and returns when done. Each statement is its own
  /// transaction, unless `body` begins one. Calls must not be nested.
  package func access<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    dispatchPrecondition(condition: .notOnQueue(queue))
    return try queue.sync { try body(database) }
  }

  /// Closes the connection. Later calls throw `misuse`.
  package func close() throws { try queue.sync { try database.close() } }
}
