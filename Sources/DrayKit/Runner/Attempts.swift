// The attempts of a run: which jobs it transfers and publishes, how an attempt begins and leaves.

internal import DrayEngine
internal import Glibc
internal import Threads

/// The attempts of a run. The steps of one are in ``Attempt`` and the files next to it.
@RunActor
final class Attempts: RunPart {
  /// Files up to this length are named when they are published, not when their answer comes.
  private nonisolated static let smallFile: Int64 = 256 << 10

  nonisolated let tools: RunTools
  nonisolated let signal: RunSignal
  nonisolated let ledger: RunLedger
  nonisolated let slots: Slots
  /// Attempts that are prepared, transferred or checked.
  private(set) var running: [JobID: Attempt] = [:]
  /// Attempts whose bytes are all here and which publish: they hold no slot.
  private(set) var publishing: [JobID: Attempt] = [:]
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

  /// All attempts, in the order they began.
  var all: [Attempt] { (Array(running.values) + Array(publishing.values)).sorted { $0.order < $1.order } }

  /// Whether an attempt at a job has not left yet.
  func isHere(_ id: JobID) -> Bool { running[id] != nil || publishing[id] != nil }

  // MARK: Beginning

  /// Starts a job that has a slot.
  @discardableResult
  func begin(_ reserved: ReservedJob) -> Attempt {
    let one = register(reserved, at: SteadyClock.now(), time: WallClock.now())
    one.emit(reserved.started)
    // A publish that was cut off is finished, not started again, whichever way the job came back into the queue.
    Task { await reserved.job.publishing == nil ? one.run(reserved.plan) : one.finishPublish() }
    return one
  }

  /// Starts a job regardless of the limits.
  @discardableResult
  func beginAtOnce(_ reserved: ReservedJob) -> Attempt {
    slots.occupy(reserved.origin)
    return begin(reserved)
  }

  func register(_ reserved: ReservedJob, at now: Double, time: Double) -> Attempt {
    begun += 1
    let one = Attempt(reserved, in: self, order: begun, at: now, time: time)
    running[reserved.job.id] = one
    signal.pulse.continuation.yield()
    signal.activity.continuation.yield()
    return one
  }

  /// Passes what the transfer of a job reports. The transfer may begin before its attempt is registered.
  nonisolated func watcher(_ job: Job) -> TransferWatcher {
    TransferWatcher(
      id: job.id,
      emit: { [self, id = job.id] in emit(id, $0) },
      answered: { [self, origin = ReservedJob.origin(of: job)] response, size in
        slots.answered(job.id, origin, size: size, version: response.head.version)
        // Which server bytes are of must be known where several have them.
        let isPlain = (job.specification.options.mirrors ?? []).isEmpty
        if size ?? .max > Attempts.smallFile || !isPlain {
          Task { await self.running[job.id]?.answered(response, size: size) }
        }
      },
      checkpointer: checkpointer)
  }

  // MARK: Publishing

  /// Counts an attempt among those that publish; its slot is free from here on.
  /// - Returns: whether it was running.
  func beginPublishing(_ one: Attempt) -> Bool {
    guard vacate(one, isComplete: true) else { return false }
    // It gave back its slot, or its place among the files that wait to be published: now it has such a place.
    slots.countPublishing(1)
    publishing[one.job.id] = one
    intake?.slotIsFree()
    return true
  }

  /// Counts an attempt whose file could not be published among those that run: its pending command is carried out.
  func runAgain(_ one: Attempt) {
    guard publishing.removeValue(forKey: one.job.id) != nil else { return }
    one.hasSlot = false
    running[one.job.id] = one
  }

  /// Receives what became of files that were published together.
  func published(_ results: [Published]) async {
    await checkpointer.forgetCounts(of: results.map(\.item.job.id))
    for one in results { await publishing[one.item.job.id]?.published(one) }
  }

  // MARK: Leaving

  /// Takes an attempt out of the run and frees its slot.
  func remove(_ one: Attempt) {
    _ = vacate(one)
    if publishing.removeValue(forKey: one.job.id) != nil { slots.countPublishing(-1) }
    // A beat may have seen the transfer, and come to it when the job has begun again.
    one.transfer?.forgetClaims()
    intake?.hasLeft(one.job.id)
  }

  /// Frees the slot of an attempt.
  /// - Parameter isComplete: whether its file is here.
  /// - Returns: whether it was running.
  private func vacate(_ one: Attempt, isComplete: Bool = false) -> Bool {
    guard running.removeValue(forKey: one.job.id) != nil else { return false }
    one.search?.cancel()
    if one.hasSlot {
      slots.vacate(one.job.id, one.origin, isComplete: isComplete)
    } else {
      slots.countPublishing(-1)
    }
    return true
  }
}
