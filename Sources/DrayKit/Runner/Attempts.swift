// The attempts of a run: which jobs it transfers and publishes, how an attempt starts and leaves.

internal import DrayEngine
internal import Glibc
internal import Threads

/// The attempts of a run. ``Attempt`` and the files beside it have the steps of one attempt.
@RunActor
final class Attempts: RunPart {
  /// The maximum length of files that are named when they are published. Longer files are named when their answer
  /// arrives.
  nonisolated static let smallFile: Int64 = 256 << 10

  nonisolated let tools: RunTools
  nonisolated let signal: RunSignal
  nonisolated let ledger: RunLedger
  nonisolated let slots: Slots
  /// Attempts that are being prepared, transferred or checked.
  private(set) var running: [JobID: Attempt] = [:]
  /// Attempts whose bytes are all on disk and are being published. They hold no slot.
  private(set) var publishing: [JobID: Attempt] = [:]
  /// The current mirrors of jobs with mirrors.
  var mirrors: [JobID: MirrorChoice] = [:]
  private var begun = 0
  /// Fills free slots and polls commands.
  weak var intake: Intake?

  nonisolated init(_ tools: RunTools, _ signal: RunSignal, _ ledger: RunLedger, _ slots: Slots) {
    (self.tools, self.signal, self.ledger, self.slots) = (tools, signal, ledger, slots)
  }

  /// Reports an event of a job.
  nonisolated func emit(_ id: JobID, _ kind: JobEvent.Kind) { ledger.emit(id, kind) }

  /// All attempts, in the order of their starts.
  var all: [Attempt] { (Array(running.values) + Array(publishing.values)).sorted { $0.order < $1.order } }

  /// Returns whether an attempt at a job has not left yet.
  func isHere(_ id: JobID) -> Bool { running[id] != nil || publishing[id] != nil }

  // MARK: Starting

  /// Starts a job that has a slot.
  @discardableResult
  func begin(_ reserved: ReservedJob) -> Attempt {
    let one = register(reserved, at: SteadyClock.now(), time: WallClock.now())
    one.emit(reserved.started)
    // Finish an interrupted publish instead of starting again, however the job returned to the queue.
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

  /// Returns the observer of a job's transfer. The transfer may start before its attempt is registered.
  nonisolated func watcher(_ job: Job) -> TransferWatcher {
    TransferWatcher(
      id: job.id,
      emit: { [self, id = job.id] in emit(id, $0) },
      answered: { [self, origin = ReservedJob.origin(of: job)] response, size in
        slots.answered(job.id, origin, size: size, version: response.head.version)
        // If several servers have the file, record which one its bytes come from. Rules may wait for the answer.
        let options = job.specification.options
        let isPlain = (options.mirrors ?? []).isEmpty && options.lateRules == nil
        if size ?? .max > Attempts.smallFile || !isPlain {
          Task { await self.running[job.id]?.answered(response, size: size) }
        }
      },
      checkpointer: checkpointer)
  }

  // MARK: Publishing

  /// Counts an attempt among those that publish. Its slot is free from here on.
  /// - Returns: whether it was running.
  func beginPublishing(_ one: Attempt) -> Bool {
    guard vacate(one, isComplete: true) else { return false }
    // It has returned its slot, or its place among the files that wait to be published. Count it there now.
    slots.countPublishing(1)
    publishing[one.job.id] = one
    intake?.slotIsFree()
    return true
  }

  /// Counts an attempt whose publish failed among the running ones again, so that its pending command is carried out.
  func runAgain(_ one: Attempt) {
    guard publishing.removeValue(forKey: one.job.id) != nil else { return }
    one.hasSlot = false
    running[one.job.id] = one
  }

  /// Receives the results of files that were published together.
  func published(_ results: [Published]) async {
    await checkpointer.forgetCounts(of: results.map(\.item.job.id))
    for one in results { await publishing[one.item.job.id]?.published(one) }
  }

  // MARK: Leaving

  /// Removes an attempt from the run and frees its slot.
  func remove(_ one: Attempt) {
    _ = vacate(one)
    if publishing.removeValue(forKey: one.job.id) != nil { slots.countPublishing(-1) }
    // A beat may have collected the transfer, and may record it after the job has started again.
    one.transfer?.forgetClaims()
    intake?.hasLeft(one.job.id)
  }

  /// Frees the slot of an attempt.
  /// - Parameter isComplete: whether its file is complete.
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
