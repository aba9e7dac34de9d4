internal import DrayEngine
internal import DrayStore
internal import Threads

/// One attempt at a job, from its slot to its end. It carries out the actions of its state machine; the files next to
/// this one have the steps.
@RunActor
final class Attempt: RunPart {
  nonisolated let registry: AttemptRegistry
  /// The job with the URL of its current mirror, and with the bytes adopted before its first request.
  var job: Job
  /// The origin of the job's URL, as the slots count it.
  let origin: String
  /// The position among the starts, for display.
  let order: Int
  /// In seconds since 1970.
  let startedAt: Double
  /// By a monotonic clock.
  let begunAt: Double
  /// The state, which decides the next action.
  var state: AttemptStateMachine { didSet { cancelFlag.isSet = state.isCancelled } }
  /// Whether the attempt is cancelled, for work on other threads.
  nonisolated let cancelFlag = EndFlag()
  /// The rate limit of this job alone.
  let limiter: RateLimiter
  var transfer: Transfer?
  /// The destination of the part, kept open.
  var destination: (any Destination)?
  /// The search for checksum lists beside the file, if any.
  var search: DigestSearchTask?
  /// Fixes the name of the target once the answer has begun.
  var naming: Task<Void, Never>?
  /// Applies the rules that the answer decides once the answer has begun.
  var ruling: Task<Result<Void, Failure>, Never>?
  private var speed = AttemptRate()

  nonisolated var tools: RunTools { registry.tools }
  nonisolated var signal: RunSignal { registry.signal }

  /// - Parameter transfer: The transfer, if it began without the attempt.
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

  /// Whether the job is being prepared, transferred or checked; `false` once the attempt publishes or has left.
  var isRunning: Bool { registry.running[job.id] === self }

  /// The target's name, to show.
  var name: String { state.names.chosen ?? TargetName.provisional(job) }

  func emit(_ kind: JobEvent.Kind) { registry.emit(job.id, kind) }

  // MARK: Its life

  typealias Action = AttemptStateMachine.Action

  /// Runs the whole attempt. On return, the attempt has left the run, and its slot is free.
  /// - Parameter plan: The plan, if the disk was checked already.
  func run(_ plan: Result<AttemptPlan, Failure>?) async {
    await carryOut(state.begin(plan, isPublished: job.publishing != nil))
  }

  /// Carries out actions until another part of the run has to report, or the attempt has left.
  func carryOut(_ first: Action) async {
    var next: Action? = first
    do throws(Failure) {
      while let action = next { next = try await perform(action) }
    } catch {
      leave(failingRun: error)
    }
  }

  /// Carries out an action.
  /// - Returns: The next action, if any.
  /// - Throws: The failure of a store that can record nothing more.
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

  /// Keeps the first reason.
  func cancel(_ reason: CancelReason) {
    guard state.cancel(reason) else { return }
    transfer?.cancel()
    search?.cancel()
  }

  /// Cancels the attempt because the run ends or is suspended.
  func cancelForEnd() { cancel(haltReason) }

  var haltReason: CancelReason { (signal.fatal ?? signal.suspension).map { .runFails($0) } ?? .end(.shutdown) }

  /// Cancels the attempt because a window or its named queue is closed, or its queue changed. Two kinds of attempts
  /// continue to their end: those whose request must not be repeated, and those whose bytes are all here.
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

  /// Of the request body.
  var toSend: Int64? { job.specification.request.body?.length }

  /// The phase, from the transfer's counters too, because its events may arrive late.
  var currentPhase: JobPhase {
    guard state.phase == .connecting else { return state.phase }
    // Bytes may be counted before the report of their answer arrives.
    if received > job.checkpoint.segments.count { return .receiving }
    return toSend ?? 0 > 0 && transfer?.wasSent ?? false ? .sending : .connecting
  }

  /// Whether the server has not answered yet. A request that waits for its turn does not count, because it has not been
  /// sent.
  var isUnanswered: Bool {
    guard state.place == .slot, let transfer, job.specification.request.pace == nil else { return false }
    return currentPhase == .connecting && transfer.size == nil && transfer.answer == nil
  }

  /// The bytes that count in the current phase: sent bytes while sending, else received bytes.
  var moved: Int64 { currentPhase == .sending ? transfer?.sent ?? 0 : received }

  /// Bytes per second, smoothed over a few seconds; 0 before the rate is known.
  var rate: Double { speed.value ?? 0 }

  /// Updates the rate. Waiting for the server and earlier bytes do not count.
  func updateRate(_ now: Double) {
    speed.note(moved, in: currentPhase, now: now)
  }
}

/// First the rate of sending, then of receiving.
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
  /// Creates the progress of a job that another runner's board shows.
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
