// The attempts of a run: which jobs it transfers and publishes, how an attempt begins, is cancelled, and leaves.

internal import DrayEngine
internal import Glibc
internal import Threads

/// The attempts of a run. What each of them does is in the files next to this one.
@RunActor
final class Attempts: RunPart {
  nonisolated let tools: RunTools
  nonisolated let signal: RunSignal
  nonisolated let ledger: RunLedger
  nonisolated let slots: Slots
  /// Jobs that are prepared, transferred or checked.
  var running: [JobID: RunningJob] = [:]
  /// Jobs whose bytes are all here and which are being published: they hold no slot.
  var publishing: [JobID: RunningJob] = [:]
  /// Whose turn it is, for jobs with mirrors.
  var mirrors: [JobID: MirrorChoice] = [:]
  private var begun = 0
  /// Fills the slots that attempts leave, and polls commands.
  weak var intake: Intake?

  nonisolated init(_ tools: RunTools, _ signal: RunSignal, _ ledger: RunLedger, _ slots: Slots) {
    (self.tools, self.signal, self.ledger, self.slots) = (tools, signal, ledger, slots)
  }

  /// Reports something that happened to a job.
  nonisolated func emit(_ id: JobID, _ kind: JobEvent.Kind) { ledger.emit(id, kind) }

  /// All that are held, in the order they began.
  var all: [RunningJob] { (Array(running.values) + Array(publishing.values)).sorted { $0.order < $1.order } }

  /// Whether an attempt at a job has not left yet.
  func isHere(_ id: JobID) -> Bool { running[id] != nil || publishing[id] != nil }

  // MARK: Beginning

  /// Starts a job that has a slot.
  func begin(_ one: ReservedJob) {
    register(one, at: SteadyClock.now(), time: WallClock.now())
    emit(one.job.id, one.started)
    // A publish that was cut off is finished, not started again, whichever way the job came back into the queue.
    Task { await one.job.publishing == nil ? self.attempt(one.job, one.plan) : self.finishPublish(one.job) }
  }

  /// Starts a job regardless of the limits.
  func beginAtOnce(_ one: ReservedJob) {
    slots.occupy(one.origin)
    begin(one)
  }

  @discardableResult
  func register(_ one: ReservedJob, at now: Double, time: Double) -> RunningJob {
    begun += 1
    let job = RunningJob(one, order: begun, at: now, time: time)
    running[one.job.id] = job
    signal.pulse.continuation.yield()
    signal.activity.continuation.yield()
    return job
  }

  // MARK: Cancelling

  /// Cancels an attempt for a reason; the first reason stands.
  func cancel(_ id: JobID, _ reason: CancelReason) {
    guard running[id]?.cancelled == nil else { return }
    running[id]?.cancelled = reason
    running[id]?.transfer?.cancel()
    running[id]?.search?.cancel()
    running[id]?.adoption?.cancel()
  }

  /// Cancels an attempt because the run ends.
  func cancelForEnd(_ id: JobID) { cancel(id, signal.fatal.map { .runFails($0) } ?? .end(.shutdown)) }

  // MARK: Leaving

  /// Takes a job out of the run and reports how it ended.
  func leave(_ job: Job, reporting kind: JobEvent.Kind, bytes: Int64 = 0) {
    switch kind {
    // A job that has ended for good no longer needs its body.
    case .complete, .completeWithoutFile, .upToDate: removeBody(of: job)
    default: break
    }
    ledger.close(job, kind, bytes: bytes)
    leave(job.id)
  }

  /// Takes a job out of a run that cannot go on.
  func leave(_ id: JobID, failingRun failure: Failure) {
    signal.fail(failure)
    leave(id)
  }

  /// Frees the slot of a job.
  func leave(_ id: JobID) {
    let (held, published) = (vacate(id), publishing.removeValue(forKey: id))
    if published != nil { slots.countPublishing(-1) }
    // A beat may have seen the transfer, and come to it when the job has begun again.
    (held ?? published)?.transfer?.forgetClaims()
    intake?.hasLeft(id)
  }

  /// Frees a job's slot.
  /// - Parameter isComplete: whether its file is here.
  /// - Returns: the job, if it had one.
  func vacate(_ id: JobID, isComplete: Bool = false) -> RunningJob? {
    guard let one = running.removeValue(forKey: id) else { return nil }
    one.search?.cancel()
    if one.hasSlot { slots.vacate(id, one.origin, isComplete: isComplete) } else { slots.countPublishing(-1) }
    return one
  }
}
