// Opens job stores. No other module knows the kinds of stores.

package import DrayCore
package import Threads

package enum JobStores {
  package enum Opening: Sendable {
    case make
    /// Opens an existing store; creates nothing.
    case find
    /// Opens an existing store for one read: creates nothing, changes nothing, and never waits for another process.
    case glance
  }

  /// Opens the store of a configuration. The call blocks the calling thread.
  /// - Parameter executor: Runs the calls of callers that must not block; with `nil`, a thread of the store runs them.
  /// - Returns: `nil` if there is no store, or if a glance cannot read it at once.
  /// - Throws: Kind `store` if the store cannot be used. A store that cannot be used stays untouched (P14).
  package static func open(
    _ configuration: StoreConfiguration, _ opening: Opening, on executor: BlockingExecutor? = nil
  ) throws(Failure) -> (any JobStoring)? {
    switch configuration.place {
    case .directory(let directory):
      let timeout = configuration.busyTimeout
      switch opening {
      case .make:
        return try SQLiteStore.open(
          directory, busyTimeout: timeout, looksApart: configuration.looksApart, executor: executor)
      case .find: return try SQLiteStore.openIfPresent(directory, busyTimeout: timeout, executor: executor)
      case .glance: return SQLiteStore.glance(directory)
      }
    case .database(let address):
      return try openShared(address, configuration, opening, on: executor)
    }
  }

  private static func openShared(
    _ address: String, _ configuration: StoreConfiguration, _ opening: Opening, on executor: BlockingExecutor?
  ) throws(Failure) -> (any JobStoring)? {
    #if Postgres
    let (path, timeout, apart) = (configuration.path, configuration.busyTimeout, configuration.looksApart)
    switch opening {
    case .make:
      return try PostgresStore.open(address, path: path, busyTimeout: timeout, looksApart: apart, executor: executor)
    case .find:
      return try PostgresStore.openIfPresent(
        address, path: path, busyTimeout: timeout, looksApart: apart, executor: executor)
    case .glance: return PostgresStore.glance(address, path: path)
    }
    #else
    throw notBuilt(configuration)
    #endif
  }

  #if !Postgres
  private static func notBuilt(_ configuration: StoreConfiguration) -> Failure {
    Failure(
      .store, configuration.path, "this program was built without the package trait Postgres",
      advice: "leave the database out, or build with the trait")
  }
  #endif

  /// Opens an empty store in memory, which only this process can use. The call blocks the calling thread.
  /// - Parameters:
  ///   - directory: The directory for the leases of runners; the call creates it.
  ///   - executor: Runs the calls of callers that must not block.
  package static func openInMemory(
    _ directory: StateDirectory, on executor: BlockingExecutor
  ) throws(Failure) -> any JobStoring {
    try SQLiteStore.openInMemory(directory, executor: executor)
  }

  /// Reads facts about the database of a configuration, with or without a store in it. The call blocks the calling
  /// thread.
  /// - Returns: The facts; `nil` for a store of one machine.
  package static func examine(_ configuration: StoreConfiguration) throws(Failure) -> DatabaseFacts? {
    guard case .database(let address) = configuration.place else { return nil }
    #if Postgres
    return try PostgresStore.examine(address, path: configuration.path)
    #else
    throw notBuilt(configuration)
    #endif
  }

  /// The libraries behind the stores with their versions, such as `SQLite 3.40.1`.
  package static var software: String {
    var libraries: [String?] = ["SQLite \(SQLiteStore.sqliteVersion)"]
    #if Postgres
    libraries.append(PostgresStore.software)
    #endif
    return libraries.compactMap(\.self).joined(separator: ", ")
  }
}
