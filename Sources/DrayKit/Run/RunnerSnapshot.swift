// A runner at one moment, for display.

/// A run that waits for other runners of a fleet, until they show that they live, or until their leases end.
package struct OthersWait: Sendable, Equatable {
  /// The names of the runners.
  package var names: [String]
  /// The number of jobs that these runners own.
  package var jobs: Int
  /// The seconds until the last of their leases ends; 0 once it has ended.
  package var seconds: Double

  /// Creates a wait.
  package init(names: [String], jobs: Int, seconds: Double) {
    (self.names, self.jobs, self.seconds) = (names, jobs, seconds)
  }
}

/// A runner at one moment.
package struct RunnerSnapshot: Sendable, Equatable {
  /// The jobs that the runner transfers, in the order of their starts.
  package var active: [ActiveJob]
  /// The number of jobs in scope that wait for a slot or for a time.
  package var queued: Int
  /// The number of jobs in scope that other runners transfer.
  package var elsewhere: Int
  /// Whether the scope consists of named jobs, so that the run also waits for those that other runners transfer.
  package var isNamed = false
  /// The other runners of a fleet, if the run waits only for them; otherwise `nil`.
  package var others: OthersWait?
  /// The results of the jobs that have ended in the run.
  package var summary: RunSummary
  /// The number of bytes of files that were completed in the run.
  package var completeBytes: Int64
  /// The limit on all jobs together, in bytes per second; `nil` if there is none.
  package var limit: Int64?
  /// The time at which the window of the run opens, in seconds since 1970; `nil` if it is open.
  package var opening: Double?
  /// Why the shared job store cannot be used now; `nil` while the store answers.
  package var outage: Failure?
  /// Why the run leaves jobs to other machines now: for each share that does not work here.
  package var refusals: [Failure] = []

  /// Creates a snapshot; the defaults describe an idle runner.
  package init(
    active: [ActiveJob] = [], queued: Int = 0, elsewhere: Int = 0, summary: RunSummary = RunSummary(),
    completeBytes: Int64 = 0, limit: Int64? = nil, opening: Double? = nil
  ) {
    (self.active, self.queued, self.elsewhere) = (active, queued, elsewhere)
    (self.summary, self.completeBytes) = (summary, completeBytes)
    (self.limit, self.opening) = (limit, opening)
  }
}
