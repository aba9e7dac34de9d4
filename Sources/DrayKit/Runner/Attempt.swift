internal import DrayEngine
internal import DrayStore
internal import Threads

/// One attempt at a job, from the moment at which it gets a slot to its end. The attempt carries out the actions of its
/// state machine. The steps are in the files beside this one.
@RunActor
final class Attempt: RunPart {
  nonisolated let registry: AttemptRegistry
  /// The job, with the URL of its present mirror, and with the bytes that were adopted before its first request.
  var job: Job
  /// The origin of the job's URL, as the slots count it.
  let origin: String
  /// The number of the attempt in the order of starts, for display.
  let order: Int
  /// The start in seconds since 1970.
  let startedAt: Double
  /// The start on a monotonic clock.
  let begunAt: Double
  /// The state, which decides the next action.
  var state: AttemptStateMachine { didSet { cancelFlag.isSet = state.isCancelled } }
  /// Shows work on other threads whether the attempt was cancelled.
  nonisolated let cancelFlag = EndFlag()
  /// The rate limit of this job alone.
  let limiter: RateLimiter
  var transfer: Transfer?
  /// The destination of the part, which stays open.
  var destination: (any Destination)?
  /// The search for lists of digests beside the file; `nil` if no search is made.
  var search: DigestSearchTask?
  /// Whether the file's digest differs from the one in its seeds' control file.
  var refutesControl = false
  /// Fixes the name of the target after the answer has begun.
  var naming: Task<Void, Never>?
  /// Applies the rules that depend on the answer after it has begun.
  var ruling: Task<Result<Void, Failure>, Never>?
  private var speed = AttemptRate()

  nonisolated var tools: RunTools { registry.tools }
  nonisolated var signal: RunSignal { registry.signal }

  /// - Parameter transfer: The transfer, if it began before the attempt; otherwise `nil`.
  init(
    _ one: ReservedJob, in registry: AttemptRegistry, _ beginning: AttemptStateMachine.Beginning,
    _ transfer: Transfer? = nil, order: Int, at now: Double, time: Double
  ) {
    self.registry = registry
    (job, origin, limiter) = (one.job, one.origin, one.limiter)
    (self.order, begunAt, startedAt) = (order, now, time)
    state = AttemptStateMachine(one.job.id, beginning)
    self.transfer = transfer
    destination = transfer.flatMap { _ in one.direct?.plan.destination }
  }

  /// Whether the job is being prepared, transferred or checked; `false` once it is being published or has left.
  var isRunning: Bool { registry.running[job.id] === self }

  /// The name of the target, as it is shown.
  var name: String { job.title ?? state.names.chosen ?? TargetName.shown(job) }

  func emit(_ kind: JobEvent.Kind) { registry.emit(job.id, kind) }

  // MARK: Its life

  typealias Action = AttemptStateMachine.Action

  /// Runs the whole attempt. When this returns, the attempt has left the run, and its slot is free.
  /// - Parameter plan: The plan, if the disk was checked before.
  func run(_ plan: Result<AttemptPlan, Failure>?) async {
    await carryOut(state.begin(plan, isPublished: job.publishing != nil))
  }

  /// Carries out actions until another part of the run must report something first, or until the attempt has left the
  /// run.
  func carryOut(_ first: Action) async {
    var next: Action? = first
    do throws(Failure) {
      while let action = next { next = try await perform(action) }
    } catch {
      leave(failingRun: error)
    }
  }

  /// Carries out one action.
  /// - Returns: The next action; `nil` if another part of the run must report something first.
  /// - Throws: The failure of a store in which nothing can be recorded any more.
  private func perform(_ action: Action) async throws(Failure) -> Action? {
    switch action {
    case .wait: return nil
    case .plan(let known): return await plan(known)
    case .findPublished: return await findPublished()
    case .transfer(let plan): return await transfer(plan)
    case .receive(let outcome): return await receive(outcome)
    case .check(let file):
      let result = await check(file)
      return state.checked(result)
    case .stage(let part, let size): return await stage(part, size: size)
    case .publish(let part, let size, let facts): handOver(part, size: size, facts)
    case .lookAgain(let failure): return await lookAgain(failure)
    case .record(let finished, let path): return try await record(finished, at: path)
    case .prove(let finished, let path): return try await prove(finished, at: path)
    case .finishWithoutFile(let response): return try await finishWithoutFile(response)
    case .finishUpToDate(let response, let compared): return await finishUpToDate(response, compared)
    case .abandonPart(let then):
      await abandonPart()
      return then
    case .recordRetry: return try await recordRetry()
    case .seekRemedy(let file, let isResumed): return try await seekRemedy(file, isResumed: isResumed)
    case .pollCommands(let failure): return try await pollCommands(after: failure)
    case .judgeShare(let failure):
      let fault = await shares?.judge(failure, of: job)
      return state.judged(fault)
    case .end(let end, let outcome): return try await self.end(end, outcome)
    case .endLost(let failure): try await endLost(failure)
    case .withdrawCommand: try await withdrawCommand()
    case .leave(let kind, let bytes): leave(reporting: kind, bytes: bytes)
    case .leaveFailing(let failure): throw failure
    }
    return nil
  }

  // MARK: Cancelling

  var isCancelled: Bool { state.isCancelled }

  /// Cancels the attempt. If an attempt is cancelled several times, the first reason counts.
  func cancel(_ reason: CancelReason) {
    guard state.cancel(reason) else { return }
    transfer?.cancel()
    // A target that is up to date is judged by the digest that the search finds.
    if case .upToDate = reason { return }
    search?.cancel()
  }

  /// Cancels the attempt because the run ends or is suspended.
  func cancelForEnd() { cancel(haltReason) }

  var haltReason: CancelReason { (signal.fatal ?? signal.suspension).map { .runFails($0) } ?? .end(.shutdown) }

  /// Cancels the attempt because a window or its named queue is closed, or because the job is in another queue now. Two
  /// kinds of attempts continue to their end nevertheless: those whose request must not be repeated, and those whose
  /// bytes are all present.
  /// - Parameter end: `outsideWindow`, `queueClosed` or `queueChanged`.
  func cancel(untilOpen end: AttemptEnd) {
    guard job.specification.request.isSafe, currentPhase != .verifying, currentPhase != .publishing
    else { return }
    cancel(.end(end))
  }

  // MARK: Leaving

  /// Leaves the run, and reports that the job has ended.
  func leave(reporting kind: JobEvent.Kind, bytes: Int64 = 0) {
    switch kind {
    // A job that will not run again does not need its request's body.
    case .complete, .completeWithoutFile, .upToDate: removeBody()
    default: break
    }
    registry.ledger.close(job, kind, bytes: bytes)
    leave()
  }

  /// Leaves a run that cannot continue or is suspended; nothing is recorded.
  func leave(failingRun failure: Failure) {
    if signal.suspension == nil { signal.fail(failure) }
    // The job may continue, on this machine or another, so this does not count as the end of the job.
    if let suspension = signal.suspension { emit(.interrupted(suspension)) }
    registry.remove(self, keepsJournal: true)
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

  /// The present phase. The transfer's counters are considered, too, because its events may come late.
  var currentPhase: JobPhase {
    guard state.phase == .connecting else { return state.phase }
    // Bytes may be counted before their answer is reported.
    if received > job.checkpoint.segments.count { return .receiving }
    return toSend ?? 0 > 0 && transfer?.wasSent ?? false ? .sending : .connecting
  }

  /// Whether the server has not yet answered the request. A request that is still waiting for its turn does not count,
  /// because it was not sent.
  var isUnanswered: Bool {
    guard state.place == .slot, let transfer, job.specification.request.pace == nil else { return false }
    return currentPhase == .connecting && transfer.size == nil && transfer.answer == nil
  }

  /// The number of bytes that matter in the present phase: the sent bytes while a body is sent, otherwise the received
  /// bytes.
  var moved: Int64 { currentPhase == .sending ? transfer?.sent ?? 0 : received }

  /// The rate in bytes per second, smoothed over a few seconds; 0 before it is known.
  var rate: Double { speed.value ?? 0 }

  /// Updates the rate. The wait for the server does not count, nor do the bytes of earlier attempts.
  func updateRate(_ now: Double) {
    speed.note(moved, in: currentPhase, now: now)
  }
}

/// The rate of sending, and after that the rate of receiving.
private struct AttemptRate {
  private var rate = SmoothRate()
  private var phase = JobPhase.connecting

  var value: Double? { rate.value }

  mutating func note(_ moved: Int64, in current: JobPhase, now: Double) {
    if current != phase { (rate, phase) = (SmoothRate(), current) }
    if phase == .sending || phase == .receiving { rate.note(moved, now: now) }
  }
}

extension ActiveJob {
  /// Creates the progress of a job that another runner shows on its board.
  init(_ job: Job, _ entry: ProgressEntry) {
    let isSending = entry.phase == .sending
    self.init(
      id: job.id, name: TargetName.shown(job), phase: JobPhase(rawValue: entry.phase.rawValue) ?? .connecting,
      received: isSending ? 0 : entry.received, size: isSending ? nil : entry.size,
      sent: isSending ? entry.received : 0, toSend: isSending ? entry.size : nil)
    (connections, rate, parts) = (entry.connections, entry.rate, entry.parts)
    host = job.specification.request.url.origin.host
  }
}
