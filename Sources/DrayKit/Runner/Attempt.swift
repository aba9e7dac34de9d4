// One attempt at a job, from its slot to its end. Its steps are in the files next to this one.

internal import DrayEngine
internal import DrayStore
internal import Threads

/// One attempt at a job.
@RunActor
final class Attempt: RunPart {
  /// The attempts of the run.
  nonisolated let registry: AttemptRegistry
  /// The job with the URL of its current mirror, and with the bytes adopted before its first request.
  var job: Job
  /// The origin of its URL, as the slots count it.
  let origin: String
  /// The order of the start, for display.
  let order: Int
  /// Start, in seconds since 1970.
  let startedAt: Double
  /// Start, by a monotonic clock.
  let begunAt: Double
  /// Whether it still has its slot. Without a slot, it counts among the files that wait to be published.
  var hasSlot = true
  var phase = JobPhase.connecting
  /// The name of the target, if one was chosen.
  var chosenName: String?
  /// The name to show.
  var name: String { chosenName ?? TargetName.provisional(job) }
  /// The name of the target, if this attempt fixed it.
  var fixedName: String?
  /// The name under which its upload begins: a free one if the target's may be taken; `nil` for files.
  var uploadName: String?
  var transfer: Transfer?
  /// The destination of its part, held open.
  var destination: (any Destination)?
  /// The rate limit of this job alone.
  let limiter: RateLimiter
  /// The reason for its cancellation, if any.
  var cancelled: CancelReason? {
    didSet { cancelFlag.isSet = cancelled != nil }
  }
  /// Whether it is cancelled, for work on other threads.
  nonisolated let cancelFlag = EndFlag()
  var isAnswered = false
  /// The rate of sending, then of receiving.
  private var speed = SmoothRate()
  private var ratedPhase = JobPhase.connecting
  /// The search for checksum lists beside the file, if any.
  var search: DigestSearchTask?
  /// Fixes the name of the target, once the answer has begun.
  var naming: Task<Void, Never>?
  /// Applies the rules that the answer decides, once it has begun.
  var ruling: Task<Result<Void, Failure>, Never>?
  /// The adoption of another program's partial file, while it runs.
  var adoption: AdoptionRun?
  /// The reason why new cookies could not be stored.
  var cookieFailure: Failure?

  nonisolated var tools: RunTools { registry.tools }
  nonisolated var signal: RunSignal { registry.signal }

  init(_ one: ReservedJob, in registry: AttemptRegistry, order: Int, at now: Double, time: Double) {
    self.registry = registry
    (job, origin, limiter) = (one.job, one.origin, one.limiter)
    (self.order, begunAt, startedAt) = (order, now, time)
  }

  /// Whether it is being prepared, transferred or checked; `false` once it publishes or has left.
  var isRunning: Bool { registry.running[job.id] === self }

  /// Reports an event of its job.
  func emit(_ kind: JobEvent.Kind) { registry.emit(job.id, kind) }

  // MARK: Cancelling

  var isCancelled: Bool { cancelled != nil }

  /// Cancels it for a reason. The first reason is kept.
  func cancel(_ reason: CancelReason) {
    guard !isCancelled else { return }
    cancelled = reason
    transfer?.cancel()
    search?.cancel()
    adoption?.cancel()
  }

  /// Cancels it because the run ends or is suspended.
  func cancelForEnd() { cancel((signal.fatal ?? signal.suspension).map { .runFails($0) } ?? .end(.shutdown)) }

  /// Cancels it because a window or its named queue is closed, or its queue changed. A request that must not be repeated runs to its end, as
  /// does a file whose bytes are all here.
  /// - Parameter end: `outsideWindow`, `queueClosed` or `queueChanged`.
  func cancel(untilOpen end: AttemptEnd) {
    guard job.specification.request.isSafe, currentPhase != .verifying, currentPhase != .publishing
    else { return }
    cancel(.end(end))
  }

  // MARK: Leaving

  /// Leaves the run, and reports the end of the job.
  func leave(reporting kind: JobEvent.Kind, bytes: Int64 = 0) {
    switch kind {
    // A job that has ended permanently no longer needs its body.
    case .complete, .completeWithoutFile, .upToDate: removeBody()
    default: break
    }
    registry.ledger.close(job, kind, bytes: bytes)
    leave()
  }

  /// Leaves a run that cannot continue, or is suspended. Nothing is recorded.
  func leave(failingRun failure: Failure) {
    if signal.suspension == nil { signal.fail(failure) }
    // The job may continue, here or elsewhere, so this end does not count.
    if let suspension = signal.suspension { emit(.interrupted(suspension)) }
    leave()
  }

  func leave() { registry.remove(self) }

  // MARK: Progress

  var received: Int64 { transfer?.received ?? job.checkpoint.segments.count }
  var size: Int64? { transfer.map(\.size) ?? job.checkpoint.size }

  var snapshot: ActiveJob {
    var active = ActiveJob(
      id: job.id, name: name, phase: currentPhase, received: received, size: size, sent: transfer?.sent ?? 0,
      toSend: toSend)
    active.connections = max(1, transfer?.connections ?? 1)
    active.rate = speed.value
    active.host = job.specification.request.url.origin.host
    active.parts = transfer?.parts
    return active
  }

  /// The length of the request body.
  var toSend: Int64? { job.specification.request.body?.length }

  /// The phase. The transfer knows more than its events.
  var currentPhase: JobPhase {
    guard phase == .connecting else { return phase }
    // Bytes may be counted before the report of their answer arrives.
    if isAnswered || received > job.checkpoint.segments.count { return .receiving }
    return toSend ?? 0 > 0 && transfer?.wasSent ?? false ? .sending : .connecting
  }

  /// Whether its server has not answered. A request that waits for its turn is not sent yet.
  var isUnanswered: Bool {
    guard hasSlot, let transfer, job.specification.request.pace == nil else { return false }
    return currentPhase == .connecting && transfer.size == nil && transfer.answer == nil
  }

  /// Bytes that count in the current phase: sent bytes while sending, otherwise received bytes.
  var moved: Int64 { currentPhase == .sending ? transfer?.sent ?? 0 : received }

  /// The bytes per second, smoothed over a few seconds; 0 before it is known.
  var rate: Double { speed.value ?? 0 }

  /// Updates the rate. Waiting for the server, and bytes sent before, do not count.
  func updateRate(_ now: Double) {
    let phase = currentPhase
    if phase != ratedPhase { (speed, ratedPhase) = (SmoothRate(), phase) }
    if phase == .sending || phase == .receiving { speed.note(moved, now: now) }
  }
}

extension ActiveJob {
  /// Creates the progress of a job from another runner's board.
  init(_ job: Job, _ entry: ProgressEntry) {
    let isSending = entry.phase == .sending
    self.init(
      id: job.id, name: TargetName.provisional(job), phase: JobPhase(rawValue: entry.phase.rawValue) ?? .connecting,
      received: isSending ? 0 : entry.received, size: isSending ? nil : entry.size,
      sent: isSending ? entry.received : 0, toSend: isSending ? entry.size : nil)
    (connections, rate, parts) = (entry.connections, entry.rate, entry.parts)
    host = job.specification.request.url.origin.host
  }
}
