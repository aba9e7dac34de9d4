internal import DrayCore

/// The location and kind of a job store, and how long its calls wait.
public struct StoreConfiguration: Sendable, Equatable {
  public enum Place: Sendable, Equatable {
    /// An SQLite database in this directory.
    case directory(StateDirectory)
    /// A PostgreSQL database that many machines may share: libpq's connection string, as a URI or as `key=value` pairs.
    /// It may contain a password, so it is never shown.
    case database(String)
  }

  public var place: Place
  /// The seconds to wait if another process blocks the store.
  public var busyTimeout: Double
  /// Whether read-only calls use a separate connection, so that they wait for no writer.
  public var looksApart: Bool

  public init(_ place: Place, busyTimeout: Double = 40, looksApart: Bool = false) {
    (self.place, self.busyTimeout, self.looksApart) = (place, busyTimeout, looksApart)
  }

  /// The location of the store, for people, without secrets.
  public var path: String {
    switch place {
    case .directory(let directory): directory.databasePath
    case .database(let text): StoreAddress.shown(text)
    }
  }

  /// Whether other machines may use the store, too. A path names the same file on all of these machines only if it is
  /// on shared storage.
  public var isShared: Bool {
    switch place {
    case .directory: false
    case .database: true
    }
  }
}
