internal import DrayCore

public import struct FoundationEssentials.UUID

/// The facts that other processes know about a runner.
public struct RunnerRecord: Sendable, Equatable {
  public var runner: UUID
  public var name: String?
  /// The seconds since the lease was last renewed, by the store's clock; `nil` if leases need no renewal.
  public var leaseAge: Double?
  /// The end of the lease, by the store's clock; only a renewal makes it later.
  public var leaseEnd: Double?
  /// The seconds until ``leaseEnd``; not positive once the lease is over.
  public var leaseRest: Double?
  /// Whether the lease ended without being released.
  public var isDead: Bool
  /// Whether the runner has released its lease; only its name and its failures are then known.
  public var hasEnded = false
  /// The number of the runner's attempts that failed within the last hour; `nil` if unknown, or if they are counted in
  /// another record with the same name.
  public var failed: Int?
  /// The version of the runner's program, if shown.
  public var version: String?
  /// The start of the runner, in seconds since 1970, if shown.
  public var since: Int64?
  /// The number of active jobs.
  public var jobs = 0
  /// The rate of all active jobs, in bytes per second.
  public var rate: Double = 0

  public init(runner: UUID, name: String? = nil, leaseAge: Double? = nil, isDead: Bool = false) {
    (self.runner, self.name, self.leaseAge, self.isDead) = (runner, name, leaseAge, isDead)
  }
}
