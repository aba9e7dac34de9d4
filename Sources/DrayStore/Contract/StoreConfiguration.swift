// Which job store to open, and how.

/// The configuration of a job store.
public struct StoreConfiguration: Sendable, Equatable {
  /// The kind and location of a store.
  public enum Place: Sendable, Equatable {
    /// An SQLite database in this directory.
    case directory(StateDirectory)
  }

  /// The location of the store.
  public var place: Place
  /// Seconds to wait for another process that holds the store.
  public var busyTimeout: Double
  /// Whether read-only calls use a second connection and so wait for no writer.
  public var looksApart: Bool

  /// Creates a configuration.
  public init(_ place: Place, busyTimeout: Double = 40, looksApart: Bool = false) {
    (self.place, self.busyTimeout, self.looksApart) = (place, busyTimeout, looksApart)
  }

  /// The location of the store, for people.
  public var path: String {
    switch place {
    case .directory(let directory): directory.databasePath
    }
  }
}
