// The kinds of job stores. Nothing outside of this room names one of them.

package import Dispatch
package import DrayCore

/// Opens job stores.
package enum JobStores {
  /// What opening a store may do.
  package enum Opening: Sendable {
    /// It makes the store where there is none.
    case make
    /// It makes nothing.
    case find
    /// It makes nothing, changes nothing and waits for nobody.
    case glance
  }

  /// Opens the store of a configuration. Blocks.
  /// - Parameter queue: where callers that must not block have their calls run; without one, on a thread of the store's own.
  /// - Returns: `nil` where there is no store; for a glance, also where it cannot be read at once.
  /// - Throws: kind `store` where it cannot be used; it is untouched then (P14).
  package static func open(
    _ configuration: StoreConfiguration, _ opening: Opening, on queue: DispatchQueue? = nil
  ) throws(Failure) -> (any JobStoring)? {
    switch configuration.place {
    case .directory(let directory):
      let timeout = configuration.busyTimeout
      switch opening {
      case .make:
        return try SQLiteStore.open(
          directory, busyTimeout: timeout, looksApart: configuration.looksApart, queue: queue)
      case .find: return try SQLiteStore.openIfPresent(directory, busyTimeout: timeout, queue: queue)
      case .glance: return SQLiteStore.glance(directory)
      }
    }
  }

  /// The software behind the stores, with its version: `SQLite 3.40.1`.
  package static var software: String { "SQLite \(SQLiteStore.sqliteVersion)" }
}
