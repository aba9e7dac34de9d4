// The runner: takes jobs from the queue, keeps its slots filled, ends when nothing is left.

internal import DrayEngine
public import Foundation
internal import Synchronization

/// A process's hold on jobs while it transfers them. One runner runs once.
public final class Runner: Sendable, RunPart {
  /// What happens to its jobs; for one consumer. Ends with the run.
  public let events: JobEvents

  let tools: RunTools
  let signal = RunSignal()
  let intake: Intake
  private let options: RunOptions
  private let scope: RegisteredScope
  private let ledger: RunLedger
  /// Keeps the engine from being stopped before the run has ended.
  private let hold: Mutex<EngineHold?>

  /// The name that its jobs and its lease carry.
  public var id: UUID { tools.lease.runner }

  init(
    _ hold: EngineHold, _ store: JobStore, _ home: StateDirectory, _ lease: RunnerLease, _ scope: RunScope,
    _ options: RunOptions
  ) throws(Failure) {
    self.options = options
    self.hold = Mutex(hold)
    self.scope = try RegisteredScope(scope, in: store)
    let budget = Descriptors.budget
    tools = RunTools(
      store: store, home: home, engine: hold.engine, lease: lease,
      checkpointer: Checkpointer(store: store, runner: lease.runner),
      publisher: Publisher(store: store, runner: lease.runner, syncs: options.syncs),
      cookies: CookieKeeper(home: home, store: store), directories: DirectoryCache(limit: budget.directories),
      overallLimit: RateLimiter(
        bytesPerSecond: options.rule(try store.setting(.rateLimit)).rate(at: WallClock.now(), zone: options.zone)))
    let (batches, sink) = AsyncStream.makeStream(of: [JobEvent].self)
    let outbox = EventOutbox(sink)
    events = JobEvents(batches: batches)
    let hooks = HookRunner(
      options.hooks, home: home,
      lookUp: { [store, worker = tools.queues.store] job in
        (try? await worker.run { () throws(Failure) in try store.job(job.id) }).flatMap(\.self) ?? job
      },
      report: { id, report in outbox.send(JobEvent(id: id, time: WallClock.now(), kind: .hook(report))) })
    ledger = RunLedger(outbox, hooks, options.hooks, self.scope)
    let slots = Slots(limit: options.maxConcurrent, jobsPerOrigin: options.maxJobsPerOrigin, budget)
    intake = Intake(Attempts(tools, signal, ledger, slots), self.scope)
  }

  /// Transfers the jobs of its scope; returns when none is left, or after ``stop()``, which is what cancelling the task
  /// does.
  /// - Throws: kind `store` when the job store cannot be used any more; what was received is kept then too.
  public func run() async throws(Failure) -> RunSummary {
    // In a task of its own: in one that is cancelled, waiting for the transfers would end before they do (P9).
    let task = Task { () async -> Result<RunSummary, Failure> in
      do throws(Failure) { return .success(try await runToEnd()) } catch { return .failure(error) }
    }
    return try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      stop()
    }.get()
  }

  /// Ends the run cleanly: what was received is made durable, the jobs are interrupted. Returns at once; ``run()``
  /// returns when it is done.
  public func stop() { signal.stop() }

  /// How things stand.
  public func snapshot() async -> RunnerSnapshot { await currentSnapshot() }
}

@RunActor
extension Runner {
  private func currentSnapshot() -> RunnerSnapshot {
    intake.absorb()
    let (summary, waiting) = (ledger.summary, intake.waiting)
    return RunnerSnapshot(
      active: intake.attempts.all.map(\.snapshot), queued: waiting.queued + intake.slots.waiting,
      elsewhere: waiting.elsewhere, complete: summary.complete, failed: summary.failed,
      interrupted: summary.interrupted - summary.paused - summary.removed, paused: summary.paused,
      completeBytes: ledger.completeBytes)
  }

  private func runToEnd() async throws(Failure) -> RunSummary {
    intake.open()
    let heartbeat = Heartbeat(intake, scope, options)
    let beats = Task { await heartbeat.run() }
    defer {
      intake.close()
      beats.cancel()
      ledger.finish()
      hold.withLock { $0 = nil }
    }
    do throws(Failure) {
      try await recover()
      try await work()
    } catch {
      signal.fail(error)
      await drain()
    }
    if signal.fatal == nil, !isStopping { await ledger.closeOthers(in: tools) }
    // Before the hooks, which may take minutes: a run that takes no more jobs must not queue those of others.
    beats.cancel()
    await beats.value
    // What is still held here, after a failure, is set free for the next.
    _ = try? await worker.run { [store, id] () throws(Failure) in try store.release(id) }
    lease.release()
    await ledger.finishHooks(signal)
    if let fatal = signal.fatal { throw fatal }
    return ledger.summary
  }

  private func work() async throws(Failure) {
    signal.wake()
    for await _ in signal.wakes {
      if let fatal = signal.fatal { throw fatal }
      if isStopping { return await drain() }
      try await intake.fill()
      if let fatal = signal.fatal { throw fatal }
      guard intake.isIdle, !isStopping else { continue }
      try await intake.count()
      guard intake.isIdle else { continue }
      // Jobs that were named are waited for, whoever transfers them; of the queue only what is free matters.
      if options.waitsForMore || (scope.ids != nil && intake.waiting.elsewhere > 0) { continue }
      guard intake.waiting.queued > 0 else { return }
      if scope.ids == nil, try await !mayGoOn() { return }
    }
  }

  /// Cancels all attempts and waits for them; publishes that have begun are finished.
  private func drain() async {
    signal.stop()
    // A store that fails now fails the run anyhow, and what is claimed is set free at its end.
    intake.slots.shut()
    try? await intake.giveBack()
    signal.wake()
    for await _ in signal.wakes {
      intake.absorb()
      for id in Array(intake.attempts.running.keys) { intake.attempts.cancelForEnd(id) }
      if intake.isIdle { return }
    }
  }

  /// Whether what is queued will be due by itself, and does not wait for jobs that nobody works on.
  private func mayGoOn() async throws(Failure) -> Bool {
    try await worker.run { [store, claims = scope.claims] () throws(Failure) in
      try store.mayGoOn(scope: claims, now: WallClock.now())
    }
  }

  /// What a run begins with: the dead are cleared away, publishes that were cut off are finished, what was interrupted
  /// is queued again.
  func recover() async throws(Failure) {
    try await worker.run { [store, home] () throws(Failure) in
      try Recovery.reap(store, home)
      Recovery.sweepLeases(store, home)
    }
    try await finishPublishes()
    _ = try await worker.run { [store, claims = scope.claims] () throws(Failure) in
      try store.requeueInterrupted(scope: claims, now: WallClock.now())
    }
  }

  /// Finishes publishes that were cut off between any two steps.
  private func finishPublishes() async throws(Failure) {
    let jobs = try await worker.run { [store, id, claims = scope.claims] () throws(Failure) in
      try store.claimPublishing(runner: id, scope: claims)
    }
    for job in jobs { intake.attempts.beginAtOnce(ReservedJob(job)) }
  }
}
