// What a look at a fleet's database shows, apart from its jobs: for `dray doctor`.

public import DrayCore

/// The state of a database.
public struct DatabaseFacts: Sendable {
  /// The version of the server: `16.4`.
  public var server: String
  /// The version of the job store in it; `nil` if there is none.
  public var version: Int?
  /// The version that this program makes.
  public var ownVersion: Int
  /// Whether it is a standby, which takes no writes until it is promoted.
  public var isStandby = false
  /// Whether it refuses writes by a setting.
  public var isReadOnly = false
  /// Why a write failed that was undone; `nil` if it did not, or was not tried.
  public var refusal: Failure?
  /// The connections in use, and how many there may be: of the server, the database or the user, whichever has the
  /// fewest left.
  public var connections: (used: Int, limit: Int)
  /// The seconds by which the machine's clock is ahead.
  public var clockLead: Double

  /// Creates the facts of a database.
  public init(
    server: String, version: Int?, ownVersion: Int, connections: (used: Int, limit: Int), clockLead: Double = 0
  ) {
    (self.server, self.version, self.ownVersion) = (server, version, ownVersion)
    (self.connections, self.clockLead) = (connections, clockLead)
  }
}
