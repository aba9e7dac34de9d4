internal import DrayEngine

/// A claimed job that waits for a slot, before it has an attempt.
final class ReservedJob: Sendable {
  let box: JobBox
  /// The origin of the job's URL.
  let origin: String
  /// The plan of the attempt, if the destination was already examined.
  let plan: Result<AttemptPlan, Failure>?
  let limiter: RateLimiter
  /// The plan of a job that starts plainly (``JobSpecification/startsPlain``): a slot starts its transfer without the
  /// runner.
  let direct: SharedPlan?
  /// Whether the job starts in a batch of small files.
  let isSmall: Bool

  var job: Job { box.job }

  /// - Parameters:
  ///   - limits: The rate limits that the job shares with other jobs.
  ///   - maxPerOrigin: The maximum number of connections to the job's origin, if limited.
  ///   - keepsSmall: Whether the engine keeps small files in memory.
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

  /// Whether a plan fits into the batch: its destination and its cookie jar need nothing except the bytes of the
  /// answer.
  private static func fitsBatch(_ plan: TransferPlan) -> Bool {
    guard plan.startOver == nil, plan.condition == nil, plan.cookies?.isEmpty ?? true else { return false }
    return plan.destination.volume.keepsIdentities
  }

  static func origin(of job: Job) -> String { job.specification.request.url.origin.description }

  var started: JobEvent.Kind {
    .started(attempt: job.attempts, isInsecure: job.specification.request.isInsecure, title: job.title)
  }

  private static func direct(
    _ job: Job, _ plan: Result<AttemptPlan, Failure>?, _ limiters: [RateLimiter], _ maxPerOrigin: Int?
  ) -> TransferPlan? {
    guard case .success(.transfer(var direct))? = plan, job.specification.startsPlain, !direct.isWhole else {
      return nil
    }
    direct.limiters = limiters
    direct.limitPerOrigin(maxPerOrigin)
    return direct
  }
}
