// The runner: claims jobs from the queue, keeps its slots filled, and ends when nothing is left.

internal import DrayEngine
internal import DrayStore
public import FoundationEssentials
internal import Synchronization
internal import Threads

/// Transfers jobs of the queue on behalf of one process. A runner can run only once.
public final class Runner: Sendable, RunPart {
  /// The events of the runner's jobs, for one reader; the sequence ends with the run.
  public let events: JobEvents

  let tools: RunTools
  let signal: RunSignal
  let claimer: JobClaimer
  private let options: RunOptions
  private let scope: RegisteredScope
  let ledger: RunLedger
  /// The other runners that own jobs. They are observed once this runner has no jobs and no job is free.
  @RunActor private var others = OtherRunners()
  /// The other runners, if the run waits only for them; otherwise `nil`.
  @RunActor private var othersWait: OthersWait?
  var claims: ClaimScope { scope.claims }
  var continued: ContinuedJobs { scope.continued }
  /// The window with which the run was started.
  private let window: TransferWindow?
  /// Stops writes when the lease could be over; `nil` for a lease that lasts as long as the process.
  let fence: WriteFence?
  /// Keeps the engine alive until the run has ended.
  private let hold: Mutex<EngineHold?>

  /// The UUID of the runner, which is stored in its jobs and in its lease.
  public var id: UUID { tools.lease.runner }

  init(
    _ hold: EngineHold, _ store: any JobStoring, _ worker: BlockingExecutor, _ home: StateDirectory,
    _ destinations: any Destinations, _ lease: any RunnerLease, _ scope: RunScope, _ options: RunOptions,
    database: String? = nil, fence: WriteFence? = nil, shares: Shares? = nil, cookies: CookieKeeper? = nil
  ) async throws(Failure) {
    self.options = options
    self.hold = Mutex(hold)
    signal = RunSignal(ridesOut: lease.remaining != nil)
    // A lease that lasts as long as the process needs no fence.
    self.fence = lease.remaining == nil ? nil : fence
    self.scope = try await RegisteredScope(scope, options.continued, in: store)
    let budget = Descriptors.budget
    let publishers = ["dray.publish", "dray.publish.remote"].map { [signal] name in
      Publisher(name, store: store, lease, syncs: options.syncs, keepsPages: !options.isTemporary) { signal.isHalted }
    }
    tools = RunTools(
      store: store, home: home, engine: hold.engine, lease: lease, name: lease.remaining == nil ? nil : options.name,
      executors: RunExecutors(store: worker),
      checkpointer: Checkpointer(store: store, runner: lease.runner),
      publisher: publishers[0], remotePublisher: publishers[1],
      cookies: cookies ?? CookieKeeper(home: home, store: store),
      destinations: DestinationCache(
        destinations.stopping { [signal] in signal.isStopping }, limit: budget.directories),
      shares: shares,
      overallLimit: RateLimiter(
        bytesPerSecond: options.rule(try await store.setting(.rateLimit)).rate(at: WallClock.now(), zone: options.zone),
        budget: options.maxTransfer),
      namedQueues: QueueLimits(try await store.queues(), zone: options.zone),
      maxPerOrigin: options.maxPerOrigin, failsFast: options.failsFast, isTemporary: options.isTemporary,
      links: options.links, front: options.front, zone: options.zone)
    let (batches, sink) = AsyncStream.makeStream(of: [JobEvent].self)
    let log = options.logger.map { EventLog($0, options.namesInLog) }
    let outbox = EventOutbox(sink, observer: options.observer, log: log)
    events = JobEvents(batches: batches)
    let hooks = HookRunner(
      options.hooks, home: home, database: database,
      lookUp: { [store] job in await HookRunner.settled(job, in: store) },
      report: { id, report in outbox.send(JobEvent(id: id, time: WallClock.now(), kind: .hook(report))) })
    ledger = RunLedger(outbox, hooks, options.hooks, self.scope)
    let slots = Slots(
      jobs: options.jobs(try await store.setting(.jobs)), perOrigin: options.maxPerOrigin, budget,
      known: try await store.helpful(.jobs, now: WallClock.now()))
    window = options.currentWindow(try await store.setting(.window))
    claimer = JobClaimer(AttemptRegistry(tools, signal, ledger, slots), self.scope)
    openFence()
  }

  /// Transfers the jobs of the scope. The call returns when no job is left, or after ``stop()``, which is also called
  /// if the task is cancelled.
  /// - Throws: Kind `store` if the job store cannot be used any more; received bytes are kept.
  public func run() async throws(Failure) -> RunSummary {
    // Wait for the transfers in a separate task: in a cancelled task, the wait would end before the transfers do (P9).
    let task = Task { () async -> Result<RunSummary, Failure> in
      do throws(Failure) { return .success(try await runToEnd()) } catch { return .failure(error) }
    }
    return try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      stop()
    }.get()
  }

  /// Stops the run cleanly: received bytes are synced and recorded, and the jobs are interrupted. This method returns
  /// at once; ``run()`` returns when the run has ended.
  public func stop() { signal.stop() }

  /// Adds jobs to a run with the scope ``RunScope/growing(_:)``. The run does not end before the last jobs have been
  /// added.
  /// - Throws: Kind `store`.
  public func add(_ ids: [JobID], isLast: Bool) async throws(Failure) {
    try await scope.add(ids, isLast: isLast, in: tools.store)
    await claimer.queueMayHaveChanged()
  }

  /// Returns when a job has started, or when the number of waiting jobs has changed since the last call. Until this
  /// returns, a snapshot without active jobs stays the same. Only one caller at a time may wait.
  /// - Returns: `false` once the run has ended.
  package func nextActivity() async -> Bool {
    for await _ in signal.activity.stream { return true }
    return false
  }

  /// Returns the named jobs that other runners transfer and for which this run waits.
  /// - Throws: Kind `store`.
  package func elsewhere() async throws(Failure) -> [ActiveJob] {
    guard scope.isNamed else { return [] }
    let entries = try await worker.run { [store, id] () async throws(Failure) in
      try await store.progress(besides: id)
    }.filter { scope.contains($0.key) }
    return try await store.jobs(ids: entries.keys.sorted()).compactMap { job in
      entries[job.id].map { ActiveJob(job, $0) }
    }
  }

  /// Returns the queued jobs of this run that wait for holds.
  /// - Throws: Kind `store`.
  package func heldJobs() async throws(Failure) -> [HeldJobs] {
    try await worker.run { [store, claims = scope.claims] () async throws(Failure) in
      try await store.heldJobs(scope: claims, now: WallClock.now())
    }
  }

  /// Returns the jobs in `ids` that are unfinished, as recorded in the store, for a report on the bytes that a stopped
  /// run has kept.
  /// - Throws: Kind `store`.
  package func stopped(_ ids: [JobID]) async throws(Failure) -> [Job] {
    // After Ctrl-C, do not wait long for a store that cannot be reached.
    guard !signal.isSuspended else { return [] }
    return try await store.jobs(ids: ids).filter { !$0.state.isFinished }
  }

  /// Returns the number of queued jobs, for a report on the jobs that a stopped run has not begun; 0 if the store
  /// cannot be reached.
  package func queuedCount() async -> Int {
    guard !signal.isSuspended else { return 0 }
    return (try? await store.pending(scope: scope.claims, runner: id).queued) ?? 0
  }

  /// Returns the figures of the run for monitoring.
  public func metrics() -> RunMetrics {
    var metrics = ledger.meter.metrics
    (metrics.isSuspended, metrics.leaseRemaining) = (signal.isSuspended, lease.remaining)
    return metrics
  }

  /// Returns the present state of the run.
  package func snapshot() async -> RunnerSnapshot { await currentSnapshot() }
}

@RunActor
extension Runner {
  private func currentSnapshot() -> RunnerSnapshot {
    claimer.absorb()
    var snapshot = RunnerSnapshot(
      active: claimer.registry.active, queued: claimer.waiting.queued + claimer.slots.waiting,
      elsewhere: claimer.waiting.elsewhere, summary: ledger.summary, completeBytes: ledger.completeBytes,
      limit: tools.overallLimit.bytesPerSecond, opening: claimer.window.opening(at: WallClock.now()))
    (snapshot.isNamed, snapshot.others) = (scope.isNamed, othersWait)
    (snapshot.outage, snapshot.refusals) = (signal.suspension ?? silence, shares?.refusals ?? [])
    return snapshot
  }

  /// The failure of a shared store that has not answered for some time although the lease still allows transfers.
  private var silence: Failure? {
    guard lease.remaining != nil, let since = signal.calling, SteadyClock.now() - since > Runner.patience else {
      return nil
    }
    return Failure(
      .store, store.path, "it does not answer; transfers go on for as long as the lease lasts", recovery: .wait)
  }

  /// The user is informed after this many seconds without an answer.
  private static let patience = 2.0

  private func runToEnd() async throws(Failure) -> RunSummary {
    claimer.open(window)
    let heartbeat = Heartbeat(claimer, scope, options)
    let beats = Task { await heartbeat.run() }
    let keeper = LeaseKeeper(claimer) { [weak self] in self?.openFence() }
    let keeping = Task { await keeper.run() }
    defer {
      claimer.close()
      beats.cancel()
      keeping.cancel()
      // The remaining work, such as discarding a part, needs no lease.
      fence?.guarded(by: nil)
      ledger.finish()
      signal.activity.continuation.finish()
      hold.withLock { $0 = nil }
    }
    await runThroughSuspensions(keeper)
    if signal.isSuspended { return try await leaveStore(beats, keeping) }
    if signal.fatal == nil, !isStopping { await ledger.closeOthers(in: tools) }
    let left = await leftToOthers()
    // Stop the beats before the hooks, which may take minutes: a run that claims no more jobs must not queue those of
    // other runners.
    beats.cancel()
    await beats.value
    // If the store cannot be reached now, make no calls, because each would wait. The jobs become free when the lease
    // ends.
    if !signal.isSuspended {
      try? await recordWhatWasLearned()
      // After a failure, release the jobs that the run still owns.
      _ = try? await store.release(id)
    }
    keeping.cancel()
    await keeping.value
    await lease.release()
    await ledger.finishHooks(signal)
    if let fatal = signal.fatal { throw fatal }
    var summary = ledger.summary
    if !left.isEmpty {
      summary.refusals = left
      summary.statuses.insert(.file)
    }
    if tools.overallLimit.isSpent {
      summary.reachedMaxTransfer = true
      summary.statuses.insert(.other)
    }
    return summary
  }

  /// Returns the reasons why the run leaves queued jobs to other runners; empty if there are no queued jobs.
  private func leftToOthers() async -> [Failure] {
    guard let refusals = shares?.refusals, !refusals.isEmpty, signal.fatal == nil, !isStopping else { return [] }
    let now = WallClock.now()
    let waits = try? await store.mayGoOn(scope: scope.claims, queues: tools.namedQueues.gates(at: now), now: now)
    return waits ?? true ? refusals : []
  }

  /// Records the measurements of this run for later runs. If the bytes of a queue are not recorded, the queue may
  /// receive as many bytes again; other numbers are measured again. At the first failure, this stops: each call to a
  /// store that cannot be reached waits as long as the first.
  private func recordWhatWasLearned() async throws(Failure) {
    for hold in claimer.slots.pendingHolds { try await store.hold(hold) }
    for one in tools.namedQueues.takeReceived(at: WallClock.now()) {
      try await store.addUsage(one.bytes, of: one.queue, since: one.since)
    }
    for (origin, jobs) in claimer.slots.learned {
      try await store.record(jobs, .jobs, of: origin, now: WallClock.now())
    }
  }

  func work() async throws(Failure) {
    signal.wake()
    for await _ in signal.wakes {
      if !claimer.isIdle || claimer.waiting.elsewhere == 0 { others = OtherRunners() }
      othersWait = nil
      if let fatal = signal.fatal { throw fatal }
      if isStopping { return await drain() }
      if let suspension = signal.suspension { throw suspension }
      if claimer.hasReconnected { _ = try await takeUpUndone() }
      try await claimer.fill()
      if let fatal = signal.fatal { throw fatal }
      guard claimer.isIdle, !signal.isHalted else { continue }
      // Read this before the count, because jobs that are added after the count wake the run again.
      let isGrowing = scope.isGrowing
      try await claimer.count()
      guard claimer.isIdle else { continue }
      // Wait for named jobs, whichever process transfers them; of the whole queue, only free jobs matter.
      if options.waitsForMore || isGrowing || (scope.isNamed && claimer.waiting.elsewhere > 0) { continue }
      if claimer.waiting.queued > 0, try await claimer.endHeld() {
        try await claimer.count()
        signal.wake()
        continue
      }
      guard claimer.waiting.queued > 0 else {
        if try await takeUpUndone() { continue }
        // The job of a dead runner is first active, then interrupted, and then queued, whichever process recovers it.
        // Checks in the same order cannot miss such a job.
        if try await mustWaitForOthers() { continue }
        _ = try await store.requeueAbandoned(scope: scope.claims, scope.continued)
        try await claimer.count()
        guard claimer.isIdle, claimer.waiting.queued == 0, !scope.isNamed || claimer.waiting.elsewhere == 0 else {
          claimer.queueMayHaveChanged()
          continue
        }
        return
      }
      guard !scope.isNamed, try await !mayGoOn() else { continue }
      // Look again, because jobs may have been added during that call, or left behind by a dead runner.
      if try await takeUpUndone() { continue }
      if try await mustWaitForOthers() { continue }
      guard try await store.requeueAbandoned(scope: scope.claims, scope.continued).isEmpty else {
        claimer.queueMayHaveChanged()
        continue
      }
      if try await !mayGoOn() { return }
    }
  }

  /// Returns whether another runner of a fleet owns jobs and has not yet shown that it is alive. If so, a later beat
  /// looks again.
  private func mustWaitForOthers() async throws(Failure) -> Bool {
    // A lease without a time limit ends with its process, and the jobs of the process are free at once.
    guard lease.remaining != nil, claimer.waiting.elsewhere > 0 else { return false }
    let (counts, records, boards) = try await worker.run { [store, id] () async throws(Failure) in
      var counts = try await store.ownedJobCounts()
      counts[id] = nil
      let records = try await store.runnerRecords()
      var boards: [UUID: RunnerBoard] = [:]
      for runner in counts.keys { boards[runner] = try await store.board(of: runner) }
      return (counts, Dictionary(records.map { ($0.runner, $0) }) { first, _ in first }, boards)
    }
    let signs = counts.keys.map { ($0, OtherRunners.Sign(leaseEnd: records[$0]?.leaseEnd, board: boards[$0])) }
    let silent = others.look(Dictionary(uniqueKeysWithValues: signs), now: SteadyClock.now())
    guard !silent.isEmpty else { return false }
    othersWait = OthersWait(
      names: silent.map { records[$0]?.name ?? boards[$0]?.runner?.name ?? $0.uuidString }.sorted(),
      jobs: silent.reduce(0) { $0 + (counts[$1] ?? 0) },
      seconds: silent.reduce(0) { max($0, records[$1]?.leaseRest ?? 0) })
    signal.activity.continuation.yield()
    return true
  }

  /// Cancels all attempts, and waits for them; publishes that have started are finished.
  func drain() async {
    signal.stop()
    // If the store fails, the run fails in any case, and releases its jobs at its end.
    claimer.slots.shut()
    try? await claimer.giveBack()
    signal.wake()
    for await _ in signal.wakes {
      claimer.absorb()
      claimer.registry.takeOver { _ in true }
      for one in claimer.registry.running.values { one.cancelForEnd() }
      if claimer.isIdle { return }
    }
  }

  /// Returns whether queued jobs will become due, or wait for jobs that are being transferred.
  private func mayGoOn() async throws(Failure) -> Bool {
    let now = WallClock.now()
    return try await store.mayGoOn(scope: scope.claims, queues: claimer.gates(at: now), now: now)
  }

  /// Prepares a run: interrupts the jobs of dead runners, finishes interrupted publishes, and queues interrupted jobs.
  func recover() async throws(Failure) {
    // If a share is not mounted, recovery would conclude that the files of its jobs no longer exist.
    try await shares?.lookAtAll()
    try await worker.run { [store, home, destinations = destinations.all] () async throws(Failure) in
      try await Recovery.reap(store, home, destinations)
      await Recovery.sweepLeases(store)
    }
    try await finishPublishes()
    _ = try await store.requeueInterrupted(scope: scope.claims, scope.continued, now: WallClock.now())
  }

  /// Finishes interrupted publishes, whatever their last step was.
  func finishPublishes() async throws(Failure) {
    let jobs = try await store.claimPublishing(runner: id, scope: scope.claims)
    for job in jobs where claimer.mayBeginNow(job) { claimer.registry.beginAtOnce(ReservedJob(job)) }
  }
}
