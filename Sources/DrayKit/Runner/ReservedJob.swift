// A job that the runner has claimed, before its attempt.

internal import DrayEngine

/// A claimed job that waits briefly for a slot.
final class ReservedJob: Sendable {
  let box: JobBox
  /// The origin of its URL.
  let origin: String
  /// The plan of its attempt, if the disk was checked already.
  let plan: Result<AttemptPlan, Failure>?
  /// The rate limit of this job alone.
  let limiter: RateLimiter
  /// The transfer of a plain job (``JobSpecification/isPlain``). A slot starts it without the runner.
  let direct: SharedPlan?
  /// Whether it starts as one of a batch of small files.
  let isSmall: Bool

  var job: Job { box.job }

  /// - Parameters:
  ///   - limits: the rate limits that it shares with other jobs.
  ///   - maxPerOrigin: the maximum number of connections to its origin, if limited.
  ///   - keepsSmall: whether the engine keeps small files in memory.
  init(
    _ job: Job, plan: Result<AttemptPlan, Failure>? = nil, limits: [RateLimiter] = [], maxPerOrigin: Int? = nil,
    keepsSmall: Bool = false
  ) {
    (box, self.plan) = (JobBox(job), plan)
    origin = ReservedJob.origin(of: job)
    limiter = RateLimiter(bytesPerSecond: job.specification.options.rateLimit)
    let direct = ReservedJob.direct(job, plan, [limiter] + limits, maxPerOrigin)
    self.direct = direct.map { SharedPlan($0) }
    isSmall = keepsSmall && job.fitsBatch && (direct.map { ReservedJob.fitsBatch($0) } ?? false)
  }

  /// Whether nothing at the destination or in the cookie jar needs more than the bytes of the answer.
  private static func fitsBatch(_ plan: TransferPlan) -> Bool {
    guard plan.startOver == nil, plan.condition == nil, plan.cookies?.isEmpty ?? true else { return false }
    return plan.destination.volume.keepsIdentities
  }

  /// Returns the origin of a job's URL, as the store counts it.
  static func origin(of job: Job) -> String { job.specification.request.url.origin.description }

  /// The event for its start.
  var started: JobEvent.Kind {
    .started(attempt: job.attempts, isInsecure: job.specification.request.isInsecure)
  }

  private static func direct(
    _ job: Job, _ plan: Result<AttemptPlan, Failure>?, _ limiters: [RateLimiter], _ maxPerOrigin: Int?
  ) -> TransferPlan? {
    guard case .success(.transfer(var direct))? = plan, job.specification.isPlain, !direct.isWhole else { return nil }
    direct.limiters = limiters
    direct.limitPerOrigin(maxPerOrigin)
    return direct
  }
}
