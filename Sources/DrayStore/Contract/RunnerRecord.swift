internal import DrayCore

public import struct FoundationEssentials.UUID

/// The facts about a runner that other processes may know.
public struct RunnerRecord: Sendable, Equatable {
  /// The UUID of the runner.
  public var runner: UUID
  /// The name for people, if it has one.
  public var name: String?
  /// The seconds since its lease was last renewed, by the store's clock; `nil` if leases need no renewal.
  public var leaseAge: Double?
  /// The end of its lease, by the store's clock. Only a renewal makes it later.
  public var leaseEnd: Double?
  /// The seconds until then; not positive once it is over.
  public var leaseRest: Double?
  /// Whether its lease ended without being given back.
  public var isDead: Bool
  /// Whether it has given its lease back. Only the name and the failures of such a runner are known.
  public var hasEnded = false
  /// The number of its attempts that failed within the last hour; `nil` if unknown, or counted with another record of its
  /// name.
  public var failed: Int?
  /// The version of its program, if it has shown one.
  public var version: String?
  /// When it began, in seconds since 1970, if it has shown it.
  public var since: Int64?
  /// The number of its active jobs.
  public var jobs = 0
  /// The rate of these jobs, in bytes per second.
  public var rate: Double = 0

  /// Creates a record.
  public init(runner: UUID, name: String? = nil, leaseAge: Double? = nil, isDead: Bool = false) {
    (self.runner, self.name, self.leaseAge, self.isDead) = (runner, name, leaseAge, isDead)
  }
}
