internal import DrayEngine
internal import DrayStore
internal import Threads

/// The attempts of a run: which jobs it transfers and publishes, and how attempts start and leave. The steps of one
/// attempt are in ``Attempt`` and the files beside it.
@RunActor
final class AttemptRegistry: RunPart, SmallJobRun {
  /// The maximum length of files that are named only when they are published. Longer files are named when their answer
  /// arrives.
  nonisolated static let smallFile: Int64 = 256 << 10

  nonisolated let tools: RunTools
  nonisolated let signal: RunSignal
  nonisolated let ledger: RunLedger
  nonisolated let slots: Slots
  /// The attempts whose jobs are being prepared, transferred or checked.
  private(set) var running: [JobID: Attempt] = [:]
  /// The attempts whose bytes are all on disk and are being published. They occupy no slot.
  private(set) var publishing: [JobID: Attempt] = [:]
  /// The choice of mirrors, by job, for jobs that have mirrors.
  var mirrors: [JobID: MirrorChoice] = [:]
  /// For each job whose source gave it a new link in this run, the number of bytes that were kept by then.
  var renewals: [JobID: Int64] = [:]
  /// For each job that had to wait because its origin asked for it, the number of files that the origin had delivered
  /// by then.
  private var waited: [JobID: Int] = [:]
  private var begun = 0
  /// The claimer, which fills free slots and reads pending commands.
  weak var claimer: JobClaimer?

  nonisolated init(_ tools: RunTools, _ signal: RunSignal, _ ledger: RunLedger, _ slots: Slots) {
    (self.tools, self.signal, self.ledger, self.slots) = (tools, signal, ledger, slots)
  }

  nonisolated func emit(_ id: JobID, _ kind: JobEvent.Kind) { ledger.emit(id, kind) }

  /// All attempts, in the order of their starts.
  var all: [Attempt] { (Array(running.values) + Array(publishing.values)).sorted { $0.order < $1.order } }

  /// The active jobs, in the order of their starts.
  var active: [ActiveJob] {
    var jobs: [(begunAt: Double, job: ActiveJob)] = all.map { ($0.begunAt, $0.snapshot) }
    for small in slots.small { jobs.append((small.job.begunAt, small.snapshot)) }
    return jobs.sorted { $0.begunAt < $1.begunAt }.map(\.job)
  }

  /// Returns whether an attempt at a job is still in this run.
  func isHere(_ id: JobID) -> Bool { running[id] != nil || publishing[id] != nil || slots.hasSmall(id) }

  // MARK: Starting

  /// Starts a job that has a slot.
  @discardableResult
  func begin(_ reserved: ReservedJob) -> Attempt {
    let one = register(reserved, .slot, at: SteadyClock.now(), time: WallClock.now())
    one.emit(reserved.started)
    Task { await one.run(reserved.plan) }
    return one
  }

  /// Starts a job regardless of the limits.
  @discardableResult
  func beginAtOnce(_ reserved: ReservedJob) -> Attempt {
    slots.occupy(reserved.origin)
    return begin(reserved)
  }

  private func register(
    _ reserved: ReservedJob, _ beginning: AttemptStateMachine.Beginning, _ transfer: Transfer? = nil,
    at now: Double, time: Double
  ) -> Attempt {
    begun += 1
    let one = Attempt(reserved, in: self, beginning, transfer, order: begun, at: now, time: time)
    running[reserved.box.job.id] = one
    signal.pulse.continuation.yield()
    signal.activity.continuation.yield()
    return one
  }

  /// Registers an attempt for a transfer that has already begun.
  @discardableResult
  func register(_ reserved: ReservedJob, _ transfer: Transfer, at now: Double, time: Double) -> Attempt {
    let one = register(reserved, .transfer, transfer, at: now, time: time)
    if signal.isHalted { one.cancelForEnd() }
    return one
  }

  /// Makes attempts for the small files in transfer that meet a condition. Without an attempt, a job of the batch
  /// receives no commands.
  func takeOver(where condition: (Job) -> Bool) {
    for small in slots.takeSmall(where: condition) {
      register(small.reserved, small.transfer, at: small.begunAt, time: small.startedAt)
    }
  }

  /// Returns the observer of a job's transfer, which may start before its attempt is registered.
  nonisolated func watcher(_ job: Job) -> TransferWatcher {
    // If several servers have the file, the observer records which of them sends the bytes. The job may have rules that
    // depend on the answer.
    let options = job.specification.options
    let isPlain = (options.mirrors ?? []).isEmpty && options.lateRules == nil
    return TransferWatcher(
      id: job.id,
      emit: { [self, id = job.id] in emit(id, $0) },
      redirected: { [slots] in slots.heard($0.head, from: $0.from, of: job) },
      answered: { [self, id = job.id, origin = ReservedJob.origin(of: job)] response, size in
        slots.answered(
          id, origin, size: size, version: response.head.version,
          timings: isLimited(job) ? nil : response.connection?.timings)
        slots.heard(response.head, from: response.finalURL, of: job)
        if size ?? .max > AttemptRegistry.smallFile || !isPlain {
          Task { await self.answered(id, response, size: size) }
        }
      },
      checkpointer: checkpointer, hasSeeds: options.seeding != nil,
      journal: job.specification.place.traits.keepsPartFiles ? home.journal(of: job) : nil)
  }

  /// Whether the user limits the rate of a job, either alone or together with other jobs.
  private nonisolated func isLimited(_ job: Job) -> Bool {
    let queue = namedQueues.limiter(of: job.specification.queue, at: WallClock.now())
    return job.specification.options.rateLimit != nil || overallLimit.isLimited || queue?.isLimited ?? false
  }

  /// Handles the head of a job's answer. The start of the job may not have been reported yet.
  private func answered(_ id: JobID, _ response: ResponseRecord, size: Int64?) async {
    if running[id] == nil { claimer?.absorb() }
    await running[id]?.answered(response, size: size)
  }

  // MARK: Publishing

  /// Counts an attempt as one that publishes, so that its slot is free.
  /// - Returns: Whether the attempt was running.
  func beginPublishing(_ one: Attempt) -> Bool {
    guard vacate(one, isComplete: true) else { return false }
    // The attempt has given back its slot, or its place among the files that wait for their publish. Count it as one
    // that publishes instead.
    slots.countPublishing(1)
    publishing[one.job.id] = one
    claimer?.slotIsFree()
    return true
  }

  /// Counts an attempt whose publish failed as running again, so that its pending command is carried out.
  func runAgain(_ one: Attempt) {
    guard publishing.removeValue(forKey: one.job.id) != nil else { return }
    running[one.job.id] = one
  }

  nonisolated func complete(_ small: SmallJob, with file: SmallFile) -> Bool {
    guard slots.ended(small, size: file.size, file.response) else { return false }
    emit(small.id, .response(file.response, from: 0, size: file.size))
    let box = small.reserved.box
    let now = WallClock.now()
    let check = DigestCheck(binding: box.job.specification.options.binding, offered: file.offered)
    publish(
      PublishItem(
        box,
        Publication(
          file.part, size: file.size, recording: box.job.specification.request.url, box.job.specification.options,
          file.response, now: now),
        fileName: box.job.fileName ?? TargetName.choose(file.response), isNamed: box.job.fileName != nil,
        facts: PublishFacts(
          response: file.response,
          attempt: AttemptRecord(
            startedAt: small.startedAt, endedAt: now, outcome: "complete", firstByte: 0, lastByte: file.size,
            runner: tools.name)),
        check: check.compared.isEmpty && file.offered.isEmpty ? nil : check))
    return true
  }

  /// Publishes a complete file. On a disk, files are published in groups; on a server, several are published at once.
  nonisolated func publish(_ item: PublishItem) {
    let publisher =
      item.publication.part.destination.traits.asksServer ? tools.remotePublisher : tools.publisher
    publisher.publish(item) { results in Task { await self.published(results) } }
  }

  nonisolated func leaveBatch(_ small: SmallJob) { slots.left(small) }

  /// Receives the results of files that were published together.
  func published(_ results: [Published]) async {
    let ids = results.map { $0.item.box.job.id }
    let small = slots.publishingSmall(ids)
    let others = small.isEmpty ? ids : ids.filter { small[$0] == nil }
    if !others.isEmpty { await checkpointer.forgetCounts(of: others) }
    // Remove these attempts before the first `await`, so that no complete file also counts as active.
    var ended: [JobID] = []
    var rest: [Published] = []
    for one in results {
      guard let done = small[one.item.box.job.id], case .published(let path) = one.result else {
        rest.append(one)
        continue
      }
      let size = one.item.publication.size
      ledger.close(
        done.reserved.box.job, .complete(path: path, size: size, digest: one.proof, note: one.note), bytes: size)
      ended.append(done.id)
    }
    if !ended.isEmpty {
      slots.endSmall(ended)
      claimer?.haveLeft(ended)
    }
    for one in rest {
      let id = one.item.box.job.id
      if let small = small[id] { finish(small) }
      await publishing[id]?.published(one)
    }
  }

  /// Makes an attempt for a small file whose publish has not succeeded.
  private func finish(_ small: SmallJob) {
    begun += 1
    publishing[small.id] = Attempt(
      small.reserved, in: self, .publish, small.transfer, order: begun, at: small.begunAt, time: small.startedAt)
    slots.forgetSmall(small.id)
  }

  // MARK: Leaving

  /// Records that a job must wait because its server asked for it.
  /// - Returns: Whether the origin has delivered other files since it last asked this job to wait; `true` the first
  ///   time.
  func mustWait(_ one: Attempt) -> Bool {
    let served = slots.served(by: one.origin)
    return waited.updateValue(served, forKey: one.job.id).map { $0 < served } ?? true
  }

  /// Removes an attempt from the run and frees its slot.
  /// - Parameter keepsJournal: Whether the store may lack some of the attempt's bytes.
  func remove(_ one: Attempt, keepsJournal: Bool = false) {
    _ = vacate(one)
    if let journal = one.transfer?.endJournal(), !keepsJournal { worker.start { journal.remove() } }
    if publishing.removeValue(forKey: one.job.id) != nil { slots.countPublishing(-1) }
    // A beat may have selected this transfer for a checkpoint, and could record it after the job has started again.
    one.transfer?.endCheckpoints()
    claimer?.hasLeft(one.job.id)
  }

  /// Frees the slot of an attempt.
  /// - Parameter isComplete: Whether the job's file is complete.
  /// - Returns: Whether the attempt was running.
  private func vacate(_ one: Attempt, isComplete: Bool = false) -> Bool {
    guard running.removeValue(forKey: one.job.id) != nil else { return false }
    one.search?.cancel()
    if one.state.place == .slot {
      slots.vacate(one.job.id, one.origin, isComplete: isComplete)
    } else {
      slots.countPublishing(-1)
    }
    return true
  }
}
