// A runner at one moment, for display.

/// A run that waits for other runners of a fleet, until they show that they live, or until their leases end.
public struct OthersWait: Sendable, Equatable {
  /// The names of the runners.
  public var names: [String]
  /// The number of jobs that these runners own.
  public var jobs: Int
  /// The seconds until the last of their leases ends; 0 once it has ended.
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
  /// The number of jobs in scope that wait for a slot or for a time.
  public var queued: Int
  /// The number of jobs in scope that other runners transfer.
  public var elsewhere: Int
  /// Whether the scope consists of named jobs, so that the run also waits for those that other runners transfer.
  public var isNamed = false
  /// The other runners of a fleet, if the run waits only for them; otherwise `nil`.
  public var others: OthersWait?
  /// The results of the jobs that have ended in the run.
  public var summary: RunSummary
  /// The number of bytes of files that were completed in the run.
  public var completeBytes: Int64
  /// The limit on all jobs together, in bytes per second; `nil` if there is none.
  public var limit: Int64?
  /// The time at which the window of the run opens, in seconds since 1970; `nil` if it is open.
  public var opening: Double?
  /// Why the shared job store cannot be used now; `nil` while the store answers.
  public var outage: Failure?
  /// Why the run leaves jobs to other machines now: for each share that does not work here.
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
