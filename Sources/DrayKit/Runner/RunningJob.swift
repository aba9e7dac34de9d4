// A job while a runner transfers it.

internal import DrayEngine
internal import DrayStore

/// A job while a runner transfers it; the runner's own.
final class RunningJob {
  /// As it was claimed, and with what was taken over before its first request.
  var job: Job
  /// The origin of its URL.
  let origin: String
  /// The order of beginning, for display.
  let order: Int
  /// When it began, in seconds since 1970.
  let startedAt: Double
  /// The same by a clock that only goes forward.
  let begunAt: Double
  /// Whether it still has its slot; without, it counts among the files that wait to be published.
  var hasSlot = true
  var phase = JobPhase.connecting
  /// The name of the target, where one was chosen.
  var chosenName: String?
  /// What it is called for people.
  var name: String { chosenName ?? TargetName.provisional(job) }
  /// The name of the target, where this attempt fixed it.
  var fixedName: String?
  var transfer: Transfer?
  /// The destination of its part, held open by its attempt.
  var destination: (any Destination)?
  /// The limit of this job alone.
  let limiter: RateLimiter
  /// Why it is cancelled, where it is.
  var cancelled: CancelReason?
  var answered = false
  /// Bytes and time of the last look, for the rate.
  var lastLook: (bytes: Int64, time: Double)?
  var rate = 0.0
  /// The search for lists of digests next to the file, if any.
  var search: DigestSearchTask?
  /// What another program fetched of it is being taken over, if so.
  var adoption: AdoptionRun?
  /// Why cookies that came could not be kept.
  var cookieFailure: Failure?

  init(_ one: ReservedJob, order: Int, at now: Double, time: Double) {
    (job, origin, limiter) = (one.job, one.origin, one.limiter)
    (self.order, begunAt, startedAt) = (order, now, time)
  }

  var received: Int64 { transfer?.received ?? job.checkpoint.segments.count }
  var size: Int64? { transfer.map(\.size) ?? job.checkpoint.size }

  var snapshot: ActiveJob {
    ActiveJob(
      id: job.id, name: name, phase: currentPhase, received: received, size: size, sent: transfer?.sent ?? 0,
      toSend: toSend, connections: max(1, transfer?.connections ?? 1), rate: lastLook == nil ? nil : rate,
      host: job.specification.request.url.origin.host, parts: transfer?.parts)
  }

  /// The length of the body that is sent.
  var toSend: Int64? { job.specification.request.body?.length }

  /// What it is at: the transfer knows more than its events.
  var currentPhase: JobPhase {
    guard phase == .connecting else { return phase }
    // Bytes may be counted before the word of their answer has come through.
    if answered || received > job.checkpoint.segments.count { return .receiving }
    return toSend ?? 0 > 0 && transfer?.wasSent ?? false ? .sending : .connecting
  }
}

extension ActiveJob {
  /// What another runner shows of a job.
  init(_ job: Job, _ entry: ProgressEntry) {
    let isSending = entry.phase == .sending
    self.init(
      id: job.id, name: TargetName.provisional(job), phase: JobPhase(rawValue: entry.phase.rawValue) ?? .connecting,
      received: isSending ? 0 : entry.received, size: isSending ? nil : entry.size,
      sent: isSending ? entry.received : 0, toSend: isSending ? entry.size : nil, connections: entry.connections,
      rate: entry.rate, host: job.specification.request.url.origin.host, parts: entry.parts)
  }
}
