// The order in which a claim takes queued jobs.

/// Chooses jobs from a walk along the queue: of equal priority, jobs whose last tries failed come after the others, so
/// that servers that do not answer keep no job waiting that was never tried.
struct ClaimOrder<Job> {
  let limit: Int
  private(set) var found: [Job] = []
  private var failed: [Job] = []
  private var priority: Int?

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { found.count >= limit }

  /// Takes the next job of the queue.
  /// - Parameter admits: Counts a job if the limits admit it.
  mutating func add(_ job: Job, priority: Int, hasFailed: Bool, _ admits: (Job) -> Bool) {
    if priority != self.priority { finish(admits) }
    self.priority = priority
    if hasFailed {
      failed.append(job)
    } else if !isFull, admits(job) {
      found.append(job)
    }
  }

  /// Takes the jobs that were put back. To be called at the end of the walk.
  mutating func finish(_ admits: (Job) -> Bool) {
    for job in failed where !isFull && admits(job) { found.append(job) }
    failed = []
  }
}
