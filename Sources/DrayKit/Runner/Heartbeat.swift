// The periodic work of a run besides its jobs: shows progress, reads commands, writes checkpoints, and looks for dead
// runners.

internal import DrayEngine
internal import DrayStore
internal import Threads

@RunActor
final class Heartbeat: RunPart {
  nonisolated let claimer: JobClaimer
  private let scope: RegisteredScope
  private let options: RunOptions
  /// What this runner's board says about it.
  private let facts: RunnerFacts?
  /// Whether a checkpoint is being written.
  private var isCheckpointing = false
  private var checkpointedAt = SteadyClock.now()
  private var reapedAt = SteadyClock.now()
  /// The mark of the store when its changes were last applied, and the settings at that time.
  private var mark: ChangeMark?
  private var settings: (rateLimit: String?, jobs: String?, window: String?) = (nil, nil, nil)
  /// By how many seconds the wall clock differs from the monotonic clock.
  private var clockLead: Double?
  /// The board that other processes see.
  private var shownBoard: RunnerBoard?
  private var shownAt = -Double.infinity
  /// The limits of origins that refused jobs, as last recorded.
  private var recordedLimits: [String: Int]
  private var awake = AwakeRule()
  /// Keeps the machine awake; `nil` if that is not wanted or not possible.
  private let inhibitor: SleepInhibitor?

  /// The seconds between two beats while the run has jobs, and so between two looks for other processes' commands.
  /// Without jobs, a beat follows each change of the store.
  nonisolated static let interval = 0.2
  /// The seconds between two checkpoints. P4 allows 2 s from a byte to its checkpoint: up to 0.6 s until the byte is
  /// written (`BodyWriter.patience`, and a tick), up to 1.2 s until the beat that starts the next checkpoint; the rest
  /// is for the store and the disk.
  nonisolated static let checkpointInterval = 1.0
  /// A checkpoint leaves out transfers that are younger than this many seconds, because they may end first. The next
  /// checkpoint includes them before they are 2 s old.
  private static let youth = 0.7
  /// The seconds between two boards in a store of several machines.
  private static let boardInterval = 1.0
  /// The seconds between two looks for dead runners while the run has jobs.
  private static let reapInterval = 1.0

  nonisolated var tools: RunTools { claimer.tools }
  nonisolated var signal: RunSignal { claimer.signal }
  private var registry: AttemptRegistry { claimer.registry }

  init(_ claimer: JobClaimer, _ scope: RegisteredScope, _ options: RunOptions) {
    (self.claimer, self.scope, self.options) = (claimer, scope, options)
    let now = Int64(WallClock.now())
    facts = options.name.map { RunnerFacts(name: $0, version: DrayVersion.text, since: now) }
    // Do not record limits from an earlier run, so that they keep the time at which they were learned.
    recordedLimits = claimer.slots.restraints.filter { $0.value < JobGrowth.few }
    inhibitor = options.keepsAwake ? SleepInhibitor.ifPossible() : nil
  }

  /// Beats until the task is cancelled.
  func run() async {
    var observation: ChangeObservation?
    defer { withExtendedLifetime(observation) {} }
    var checkpoint: Task<Void, Never>?
    var changes = signal.pulse.stream.makeAsyncIterator()
    while !Task.isCancelled {
      // Do not observe the store before the first beat, because a short run ends earlier.
      let wasIdle = claimer.isIdle && observation != nil
      let hasWaiting = !options.waitsForMore && !scope.isGrowing || claimer.waiting.queued > 0
      keepAwake()
      if wasIdle {
        // Timers and ends of jobs wake the run; look once a second nevertheless.
        let timer = hasWaiting ? Task { try await rest() } : nil
        _ = await changes.next()
        timer?.cancel()
      } else {
        try? await Task.sleep(for: .seconds(Heartbeat.interval))
      }
      // Make no calls, because each would only wait for the store.
      if signal.isSuspended { continue }
      if observation == nil { observation = store.observeChanges { [signal] in signal.pulse.continuation.yield() } }
      signal.calling = SteadyClock.now()
      defer { signal.calling = nil }
      do throws(Failure) {
        try await beat()
        try await lookForDead(wasIdle: wasIdle, hasWaiting: hasWaiting)
      } catch {
        signal.fail(error)
      }
      checkpoint = nextCheckpoint() ?? checkpoint
    }
    await checkpoint?.value
    await inhibitor?.release()
  }

  /// Keeps the machine awake while bytes move.
  private func keepAwake() {
    guard let inhibitor else { return }
    let (all, small, was) = (registry.all, claimer.slots.small, awake.isAwake)
    let isWorking =
      all.contains { [.verifying, .publishing].contains($0.currentPhase) } || small.contains(where: \.isPublishing)
    let progress = all.reduce(registry.ledger.completeBytes) { $0 &+ $1.moved }
    // Renew the inhibition at each beat, because the program that has the lock may have ended.
    let hasJobs = !all.isEmpty || !small.isEmpty
    if awake.look(progress, hasJobs: hasJobs, isWorking: isWorking, now: SteadyClock.now()) {
      inhibitor.hold()
    } else if was {
      inhibitor.letGo()
    }
  }

  /// Shows progress, and applies the changes of other processes.
  private func beat() async throws(Failure) {
    if overallLimit.isSpent { signal.stop() }
    let board = nextBoard()
    noticeClock()
    let (now, isShown) = try await worker.run { [store, lease] () async throws(Failure) in
      // If the progress cannot be shown, the run goes on.
      let isShown = if let board { (try? await lease.show(board)) != nil } else { false }
      return (try await store.changeMark(), isShown)
    }
    if isShown { (shownBoard, shownAt) = (board, SteadyClock.now()) }
    if now != mark {
      settings = try await worker.run { [store] () async throws(Failure) in
        (try await store.setting(.rateLimit), try await store.setting(.jobs), try await store.setting(.window))
      }
    }
    applyLimit(settings.rateLimit)
    applyJobs(settings.jobs)
    await applyRefusals()
    applySilence()
    try await claimer.apply(options.currentWindow(settings.window), now: WallClock.now())
    if now != mark { namedQueues.update(try await store.queues()) }
    try await applyQueues()
    try await claimer.applyShares()
    // While jobs run, checkpoints record the bytes that queues received, but an idle run writes no checkpoints.
    if claimer.isIdle { await recordReceived() }
    guard now != mark else { return }
    mark = now
    try await claimer.pollCommands()
    try await applyOwnLimits()
    try await claimer.applyOwnWindows()
    claimer.queueMayHaveChanged()
  }

  /// Takes over jobs of dead runners, and gives back unused ones: once a second, and at each beat of an idle run.
  private func lookForDead(wasIdle: Bool, hasWaiting: Bool) async throws(Failure) {
    let time = SteadyClock.now()
    // Not while the run ends, because this would queue the jobs that the run is interrupting.
    guard wasIdle || time - reapedAt >= Heartbeat.reapInterval, !isStopping else { return }
    reapedAt = time
    try await reap()
    try await claimer.giveBackUnused()
    try await claimer.count()
    if wasIdle && hasWaiting || claimer.hasReconnected { claimer.queueMayHaveChanged() }
  }

  /// Starts the next checkpoint, if it is time. There is only one at a time, and beats do not wait for it, so that a
  /// slow disk does not delay commands.
  private func nextCheckpoint() -> Task<Void, Never>? {
    let now = SteadyClock.now()
    guard now - checkpointedAt >= Heartbeat.checkpointInterval, !isCheckpointing else { return nil }
    checkpointedAt = now
    isCheckpointing = true
    return Task {
      await self.checkpointAll()
      self.isCheckpointing = false
    }
  }

  /// Ends an idle run's wait for changes after a second.
  private func rest() async throws {
    try await Task.sleep(for: .seconds(Heartbeat.reapInterval))
    signal.pulse.continuation.yield()
  }

  /// Looks at the queue after the wall clock was set, or after the machine has slept, because waiting jobs may be due.
  private func noticeClock() {
    let lead = WallClock.now() - SteadyClock.now()
    if let before = clockLead, abs(lead - before) > 1 { claimer.queueMayHaveChanged() }
    clockLead = lead
  }

  /// Makes the bytes of all transfers durable.
  private func checkpointAll() async {
    await recordReceived()
    let young = SteadyClock.now() - Heartbeat.youth
    let old = registry.running.values.filter { $0.begunAt <= young && $0.transfer != nil }
    let transfers = old.compactMap { one in one.transfer.map { (one.job.id, $0) } }
    guard !transfers.isEmpty else { return }
    for one in old { await one.nameBeforeCheckpoint() }
    do throws(Failure) { try await checkpointer.record(transfers) } catch { signal.fail(error) }
  }

  /// Returns the board for other processes; `nil` if it has not changed.
  private func nextBoard() -> RunnerBoard? {
    claimer.absorb()
    if signal.ridesOut, SteadyClock.now() - shownAt < Heartbeat.boardInterval { return nil }
    let now = WallClock.now()
    for one in registry.running.values {
      one.updateRate(now)
      registry.ledger.meter.note(
        one.job.id, one.origin, received: one.received, kept: one.job.checkpoint.segments.count)
    }
    let own = registry.all.map { one in
      ProgressEntry(
        job: one.job.id, received: one.moved, size: one.currentPhase == .sending ? one.toSend : one.size,
        rate: one.rate, phase: ProgressEntry.Phase(rawValue: one.currentPhase.rawValue) ?? .receiving,
        connections: max(1, one.transfer?.connections ?? 1), parts: one.transfer?.parts)
    }
    let board = RunnerBoard(entries: own + claimer.slots.small.map(\.progress), runner: facts)
    return board == shownBoard ? nil : board
  }

  /// Applies the rate limit of this moment: that of `dray limit`, or else the run's own. It is evaluated at each beat,
  /// so it needs no timer, and a change of the clock does no harm.
  private func applyLimit(_ setting: String?) {
    overallLimit.setLimit(options.rule(setting).rate(at: WallClock.now(), zone: options.zone))
  }

  /// Applies the current number of jobs: that of `dray limit --jobs`, or else the run's own.
  private func applyJobs(_ setting: String?) {
    if claimer.slots.setJobs(options.jobs(setting)) { claimer.queueMayHaveChanged() }
  }

  /// Ends the limits of origins that refused jobs when their time is over. Records the limits, so that other processes
  /// can tell why jobs wait.
  private func applyRefusals() async {
    if claimer.slots.lapse() { claimer.queueMayHaveChanged() }
    let limits = claimer.slots.restraints
    guard limits != recordedLimits else { return }
    do throws(Failure) {
      for (origin, limit) in limits where recordedLimits[origin] != limit {
        try await store.record(limit, .jobs, of: origin, now: WallClock.now())
      }
    } catch {
      // Do not try again, because further calls to a store that cannot be reached would delay the beat. The limits are
      // recorded at the end of the run.
    }
    recordedLimits = limits
  }

  /// Lets other jobs run in the places of jobs that have no answer.
  private func applySilence() {
    let since = SteadyClock.now() - JobGrowth.silence
    var silent: [String: Int] = [:]
    for one in registry.running.values where one.begunAt < since && one.isUnanswered {
      silent[one.origin, default: 0] += 1
    }
    for one in claimer.slots.small where one.job.begunAt < since && !one.isPublishing && one.job.transfer.size == nil {
      silent[one.job.reserved.origin, default: 0] += 1
    }
    if claimer.slots.setSilent(silent) { claimer.slotIsFree() }
  }

  /// Applies the rates of named queues, and stops the jobs of closed queues, which then wait in the queue.
  private func applyQueues() async throws(Failure) {
    let now = WallClock.now()
    namedQueues.applyRates(at: now)
    try await claimer.apply(namedQueues.gates(at: now))
  }

  /// Records the bytes that queues with a quota have received.
  private func recordReceived() async {
    for one in namedQueues.takeReceived(at: WallClock.now()) {
      do throws(Failure) { try await store.addUsage(one.bytes, of: one.queue, since: one.since) } catch {
        signal.fail(error)
      }
    }
  }

  /// Applies the rate limits of single jobs, which other processes may have changed.
  private func applyOwnLimits() async throws(Failure) {
    guard !claimer.isIdle else { return }
    let limits = try await store.rateLimits(runner: runner)
    registry.takeOver { limits[$0.id] != $0.specification.options.rateLimit }
    for (job, one) in registry.running { one.limiter.setLimit(limits[job]) }
    // Give the waiting jobs back, so that they are claimed again with their new limits.
    if claimer.slots.hasWaiting(where: { limits[$0.id] != $0.specification.options.rateLimit }) {
      try await claimer.giveBack()
      claimer.queueMayHaveChanged()
    }
  }

  /// Takes over jobs of runners that died or ended.
  private func reap() async throws(Failure) {
    // Queue abandoned jobs in any case, because another process may have released a dead runner's jobs first.
    let abandoned = try await worker.run {
      [store, home, destinations = destinations.all, claims = scope.claims] () async throws(Failure) in
      try await Recovery.reap(store, home, destinations)
      return try await store.requeueAbandoned(scope: claims)
    }
    if !abandoned.isEmpty { claimer.queueMayHaveChanged() }
  }
}

extension RunOptions {
  /// Returns the rate rule of this moment: that for all runs, or else this run's own.
  func rule(_ setting: String?) -> RateRule { setting.flatMap { try? RateRule.parse($0) } ?? overallRule }

  /// Returns the number of jobs of this moment: that for all runs, or else this run's own.
  func jobs(_ setting: String?) -> Int? {
    guard let limit = setting.flatMap(JobsLimit.init) else { return maxConcurrent }
    return limit.number
  }
}
