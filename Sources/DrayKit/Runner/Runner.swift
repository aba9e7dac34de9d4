// The runner: takes jobs from the queue, keeps its slots filled, ends when nothing is left.

internal import DrayEngine
internal import DrayStore
public import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import Threads

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
    _ hold: EngineHold, _ store: any JobStoring, _ worker: BlockingQueue, _ home: StateDirectory,
    _ destinations: any Destinations, _ lease: any RunnerLease, _ scope: RunScope, _ options: RunOptions
  ) async throws(Failure) {
    self.options = options
    self.hold = Mutex(hold)
    self.scope = try await RegisteredScope(scope, in: store)
    let budget = Descriptors.budget
    tools = RunTools(
      store: store, home: home, engine: hold.engine, lease: lease, queues: RunQueues(store: worker),
      checkpointer: Checkpointer(store: store, runner: lease.runner),
      publisher: Publisher(store: store, runner: lease.runner, syncs: options.syncs),
      cookies: CookieKeeper(home: home, store: store),
      destinations: DestinationCache(destinations, limit: budget.directories),
      overallLimit: RateLimiter(
        bytesPerSecond: options.rule(try await store.setting(.rateLimit)).rate(at: WallClock.now(), zone: options.zone)),
      maxPerOrigin: options.maxPerOrigin, failsFast: options.failsFast)
    let (batches, sink) = AsyncStream.makeStream(of: [JobEvent].self)
    let outbox = EventOutbox(sink)
    events = JobEvents(batches: batches)
    let hooks = HookRunner(
      options.hooks, home: home,
      lookUp: { [store] job in
        (try? await store.job(job.id)).flatMap(\.self) ?? job
      },
      report: { id, report in outbox.send(JobEvent(id: id, time: WallClock.now(), kind: .hook(report))) })
    ledger = RunLedger(outbox, hooks, options.hooks, self.scope)
    let slots = Slots(
      jobs: options.jobs(try await store.setting(.jobs)), perOrigin: options.maxPerOrigin, budget,
      known: try await store.helpful(.jobs, now: WallClock.now()))
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

  /// Adds jobs to a run with the scope ``RunScope/growing(_:)``, which does not end before the last have come.
  /// - Throws: kind `store`.
  public func add(_ ids: [JobID], isLast: Bool) async throws(Failure) {
    try await scope.add(ids, isLast: isLast, in: tools.store)
    await intake.queueMayHaveChanged()
  }

  /// Returns when a job has begun, or what waits has changed, since the last call: a snapshot without active jobs stays as
  /// it is until then. For one caller at a time.
  /// - Returns: `false` once the run has ended.
  public func nextActivity() async -> Bool {
    for await _ in signal.activity.stream { return true }
    return false
  }

  /// The jobs of a run of named jobs that other runners transfer: it waits for them.
  /// - Throws: kind `store`.
  public func elsewhere() async throws(Failure) -> [ActiveJob] {
    guard scope.isNamed else { return [] }
    let entries = try await worker.run { [store, id] () async throws(Failure) in
      try await store.progress(besides: id)
    }.filter { scope.contains($0.key) }
    return try await store.jobs(ids: entries.keys.sorted()).compactMap { job in
      entries[job.id].map { ActiveJob(job, $0) }
    }
  }

  /// The queued jobs of this run that wait for holds.
  /// - Throws: kind `store`.
  public func heldJobs() async throws(Failure) -> [HeldJobs] {
    try await worker.run { [store, claims = scope.claims] () async throws(Failure) in
      try await store.heldJobs(scope: claims, now: WallClock.now())
    }
  }

  /// The durable bytes of stopped jobs, and the total length of their files; nil if a length is unknown.
  /// - Throws: kind `store`.
  public func kept(_ ids: [JobID]) async throws(Failure) -> (received: Int64, size: Int64?) {
    let jobs = try await store.summaries(ids: ids)
    let size = jobs.reduce(Int64?.some(0)) { sum, job in
      guard let sum, let size = job.size else { return nil }
      let (all, overflow) = sum.addingReportingOverflow(size)
      return overflow ? nil : all
    }
    return (jobs.reduce(0) { $0 + $1.received }, size)
  }

  /// The current state of the run.
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
      completeBytes: ledger.completeBytes, limit: tools.overallLimit.bytesPerSecond)
  }

  private func runToEnd() async throws(Failure) -> RunSummary {
    intake.open()
    let heartbeat = Heartbeat(intake, scope, options)
    let beats = Task { await heartbeat.run() }
    defer {
      intake.close()
      beats.cancel()
      ledger.finish()
      signal.activity.continuation.finish()
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
    // What cannot be written is found out again.
    for (origin, jobs) in intake.slots.learned {
      try? await store.record(jobs, .jobs, of: origin, now: WallClock.now())
    }
    // What is still held here, after a failure, is set free for the next.
    _ = try? await store.release(id)
    await lease.release()
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
      // Asked before the count: what is added after that makes the run look again.
      let isGrowing = scope.isGrowing
      try await intake.count()
      guard intake.isIdle else { continue }
      // Named jobs are waited for, whichever process transfers them; in the queue only free jobs matter.
      if options.waitsForMore || isGrowing || (scope.isNamed && intake.waiting.elsewhere > 0) { continue }
      guard intake.waiting.queued > 0 else {
        // The job of a runner that died is active, then interrupted, then queued, whoever releases it: looked for in this
        // order, it is not missed.
        _ = try await store.requeueAbandoned(scope: scope.claims)
        try await intake.count()
        guard intake.isIdle, intake.waiting.queued == 0, !scope.isNamed || intake.waiting.elsewhere == 0 else {
          intake.queueMayHaveChanged()
          continue
        }
        return
      }
      if !scope.isNamed, try await !mayGoOn() { return }
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

  /// Whether queued jobs will be due automatically, and do not wait for jobs that are not being transferred.
  private func mayGoOn() async throws(Failure) -> Bool {
    try await store.mayGoOn(scope: scope.claims, now: WallClock.now())
  }

  /// What a run begins with: jobs of dead runners are interrupted, publishes that were cut off are finished, what was
  /// interrupted is queued again.
  func recover() async throws(Failure) {
    try await worker.run { [store, home, destinations = destinations.all] () async throws(Failure) in
      try await Recovery.reap(store, home, destinations)
      await Recovery.sweepLeases(store)
    }
    try await finishPublishes()
    _ = try await store.requeueInterrupted(scope: scope.claims, now: WallClock.now())
  }

  /// Finishes publishes that were cut off between any two steps.
  private func finishPublishes() async throws(Failure) {
    let jobs = try await store.claimPublishing(runner: id, scope: scope.claims)
    for job in jobs { intake.attempts.beginAtOnce(ReservedJob(job)) }
  }
}
