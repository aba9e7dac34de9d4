package import DrayCore

/// The facts about a fleet's database, apart from its jobs, for `dray doctor`.
package struct DatabaseFacts: Sendable {
  /// The version of the server, such as `16.4`.
  package var server: String
  /// The version of the job store in the database; `nil` if the database has none.
  package var version: Int?
  /// The version that job stores get when this program creates them.
  package var ownVersion: Int
  /// Whether the database is a standby, which accepts no writes until it is promoted.
  package var isStandby = false
  /// Whether a setting makes the database refuse writes.
  package var isReadOnly = false
  /// The failure of a trial write, which is undone; `nil` if the write succeeded or was not tried.
  package var refusal: Failure?
  /// The connections in use and the limit on connections: of the server, the database or the user, whichever has the
  /// fewest left.
  package var connections: (used: Int, limit: Int)
  /// The seconds by which the machine's clock is ahead of the database's.
  package var clockLead: Double

  package init(
    server: String, version: Int?, ownVersion: Int, connections: (used: Int, limit: Int), clockLead: Double = 0
  ) {
    (self.server, self.version, self.ownVersion) = (server, version, ownVersion)
    (self.connections, self.clockLead) = (connections, clockLead)
  }
}
