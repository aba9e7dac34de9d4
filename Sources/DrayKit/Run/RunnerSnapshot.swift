// A runner at one moment, for display.

/// A run's wait for other runners of a fleet, until they show that they live, or their leases end.
public struct OthersWait: Sendable, Equatable {
  /// The names of the runners.
  public var names: [String]
  /// The number of jobs that these runners own.
  public var jobs: Int
  /// The seconds until the last of the other runners' leases ends; 0 once it has ended.
  public var seconds: Double

  /// Creates a wait.
  public init(names: [String], jobs: Int, seconds: Double) {
    (self.names, self.jobs, self.seconds) = (names, jobs, seconds)
  }
}

/// A runner at one moment.
public struct RunnerSnapshot: Sendable, Equatable {
  /// The jobs that the runner transfers, in the order of their starts.
  public var active: [ActiveJob]
  /// Waiting jobs in scope, for a slot or for a time.
  public var queued: Int
  /// Jobs in scope that another runner transfers.
  public var elsewhere: Int
  /// Whether the scope is named jobs. The run then also waits for the ones that other runners transfer.
  public var isNamed = false
  /// The other runners of a fleet, if the run only waits for these; otherwise `nil`.
  public var others: OthersWait?
  /// The results of the jobs that have ended in the run.
  public var summary: RunSummary
  /// Bytes of the files completed since the run started.
  public var completeBytes: Int64
  /// The limit on all jobs together, in bytes per second; `nil` if there is none.
  public var limit: Int64?
  /// When the window of the run opens, in seconds since 1970; `nil` while the window is open.
  public var opening: Double?
  /// Why the shared job store cannot be used now; `nil` while the store answers.
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
