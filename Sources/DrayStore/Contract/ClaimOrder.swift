/// Chooses jobs while the queue is read from its beginning. Among jobs of equal priority, those whose last attempts
/// failed come last, so that a server that does not answer cannot delay jobs that were never tried.
struct ClaimOrder<Job> {
  let limit: Int
  private(set) var found: [Job] = []
  private var failed: [Job] = []
  private var priority: Int?

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { found.count >= limit }

  /// Takes the next job of the queue; if the job's last attempt failed, puts it back for later.
  /// - Parameter admits: Returns whether the limits admit a job. An admitted job is counted.
  mutating func add(_ job: Job, priority: Int, hasFailed: Bool, _ admits: (Job) -> Bool) {
    if priority != self.priority { finish(admits) }
    self.priority = priority
    if hasFailed {
      failed.append(job)
    } else if !isFull, admits(job) {
      found.append(job)
    }
  }

  /// Takes the jobs that were put back. This is called when the end of the queue is reached.
  mutating func finish(_ admits: (Job) -> Bool) {
    for job in failed where !isFull && admits(job) { found.append(job) }
    failed = []
  }
}
