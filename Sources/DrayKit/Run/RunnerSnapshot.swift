// A runner at one moment, for display.

/// A runner at one moment.
public struct RunnerSnapshot: Sendable, Equatable {
  /// The jobs that it transfers, in the order of their starts.
  public var active: [ActiveJob]
  /// Waiting jobs of its scope, for a slot or for a time.
  public var queued: Int
  /// Jobs of its scope that another runner transfers.
  public var elsewhere: Int
  /// Whether its scope is jobs that were named, so that it waits for those that other runners transfer.
  public var isNamed = false
  /// Whether the run only waits until the other runners of a fleet show that they live, or their leases end.
  public var isWaitingForOthers = false
  /// The results of the jobs that have ended in the run.
  public var summary: RunSummary
  /// Bytes of the files completed since the run started.
  public var completeBytes: Int64
  /// The limit on all jobs together, in bytes per second; `nil` if there is none.
  public var limit: Int64?
  /// When the window of the run opens, in seconds since 1970; `nil` while it is open.
  public var opening: Double?
  /// Why the shared job store cannot be used now; `nil` while it answers.
  public var outage: Failure?
  /// Why the run leaves the jobs of shares to other machines now, by the paths of the shares.
  public var refusals: [Failure] = []

  /// Creates a snapshot; the defaults describe an idle runner.
  public init(
    active: [ActiveJob] = [], queued: Int = 0, elsewhere: Int = 0, summary: RunSummary = RunSummary(),
    completeBytes: Int64 = 0, limit: Int64? = nil, opening: Double? = nil
  ) {
    (self.active, self.queued, self.elsewhere) = (active, queued, elsewhere)
    (self.summary, self.completeBytes) = (summary, completeBytes)
    (self.limit, self.opening) = (limit, opening)
  }
}
