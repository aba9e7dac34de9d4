/// Chooses jobs during a walk along the queue. Among jobs of equal priority, those whose last tries failed come last,
/// so that a server that does not answer cannot delay jobs that were never tried.
struct ClaimOrder<Job> {
  let limit: Int
  private(set) var found: [Job] = []
  private var failed: [Job] = []
  private var priority: Int?

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { found.count >= limit }

  /// Takes the next job of the queue.
  /// - Parameter admits: Returns whether the limits admit a job, and counts an admitted job.
  mutating func add(_ job: Job, priority: Int, hasFailed: Bool, _ admits: (Job) -> Bool) {
    if priority != self.priority { finish(admits) }
    self.priority = priority
    if hasFailed {
      failed.append(job)
    } else if !isFull, admits(job) {
      found.append(job)
    }
  }

  /// Takes the jobs that were put back; called at the end of the walk.
  mutating func finish(_ admits: (Job) -> Bool) {
    for job in failed where !isFull && admits(job) { found.append(job) }
    failed = []
  }
}
