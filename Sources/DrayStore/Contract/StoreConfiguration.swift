// Which job store, and how it is used.

/// What a job store is opened with.
public struct StoreConfiguration: Sendable, Equatable {
  /// A kind of store, and where it is.
  public enum Place: Sendable, Equatable {
    /// An SQLite database in this directory.
    case directory(StateDirectory)
  }

  /// Where the store is.
  public var place: Place
  /// Seconds that a call waits for another process that holds the store.
  public var busyTimeout: Double
  /// Whether calls that only look wait for no writer, by a second connection.
  public var looksApart: Bool

  /// Makes a configuration.
  public init(_ place: Place, busyTimeout: Double = 40, looksApart: Bool = false) {
    (self.place, self.busyTimeout, self.looksApart) = (place, busyTimeout, looksApart)
  }

  /// Where the store is, for people.
  public var path: String {
    switch place {
    case .directory(let directory): directory.databasePath
    }
  }
}
