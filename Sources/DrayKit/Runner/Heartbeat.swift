// The work that a run repeats while its jobs are transferred: it shows progress, reads commands, writes checkpoints,
// and looks for dead runners.

internal import DrayEngine
internal import DrayStore
internal import Threads

@RunActor
final class Heartbeat: RunPart {
  nonisolated let claimer: JobClaimer
  private let scope: RegisteredScope
  private let options: RunOptions
  /// The facts about this runner for its board.
  private let facts: RunnerFacts?
  /// Whether a checkpoint is being written.
  private var isCheckpointing = false
  private var checkpointedAt = SteadyClock.now()
  private var reapedAt = SteadyClock.now()
  /// The mark that the store had when its changes were last applied, and the settings at that time.
  private var mark: ChangeMark?
  private var settings: (rateLimit: String?, jobs: String?, window: String?) = (nil, nil, nil)
  /// The number of seconds by which the wall clock differs from the monotonic clock.
  private var clockLead: Double?
  /// The board of this run, which other processes see.
  private var shownBoard: RunnerBoard?
  private var shownAt = -Double.infinity
  /// The limits of origins that refused jobs, as last recorded.
  private var recordedLimits: [String: Int]
  private var awake = AwakeRule()
  /// Keeps the machine awake; `nil` if that is not wanted or not possible.
  private let inhibitor: SleepInhibitor?

  /// The seconds between two beats while the run has jobs. This is also the time between two polls for commands of
  /// other processes. While there are no jobs, each change of the store causes a beat.
  nonisolated static let interval = 0.2
  /// The seconds between two checkpoints. P4 allows 2 s between the arrival of a byte and its checkpoint. Up to 0.6 s
  /// pass until the byte is written (`BodyWriter.patience`, and a tick), and up to 1.2 s until the beat that starts the
  /// next checkpoint; the rest is for the store and the disk.
  nonisolated static let checkpointInterval = 1.0
  /// A checkpoint leaves out transfers that are younger than this many seconds, because they may end before the next
  /// checkpoint. The next checkpoint includes these transfers before they are 2 s old.
  private static let youth = 0.7
  /// The seconds between two updates of the board in a store that several machines use.
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
    // Limits from an earlier run are not recorded again, so that they keep the time at which they were found.
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
      // Do not observe the store before the first beat, because a short run ends before it.
      let wasIdle = claimer.isIdle && observation != nil
      let hasWaiting = !options.waitsForMore && !scope.isGrowing || claimer.waiting.queued > 0
      keepAwake()
      if wasIdle {
        // Timers and ends of jobs wake the run. Check once a second nevertheless.
        let timer = hasWaiting ? Task { try await rest() } : nil
        _ = await changes.next()
        timer?.cancel()
      } else {
        try? await Task.sleep(for: .seconds(Heartbeat.interval))
      }
      // Make no calls while the run is suspended, because each call would only wait for the store.
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

  /// Keeps the machine awake while bytes are received or sent.
  private func keepAwake() {
    guard let inhibitor else { return }
    let (all, small, was) = (registry.all, claimer.slots.small, awake.isAwake)
    let isWorking =
      all.contains { [.verifying, .publishing].contains($0.currentPhase) } || small.contains(where: \.isPublishing)
    let progress = all.reduce(registry.ledger.completeBytes) { $0 &+ $1.moved }
    // Renew the inhibition at each beat, because the program that holds the lock may have ended.
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
      // If the progress cannot be shown, the run continues.
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

  /// Takes over jobs of dead runners, and gives back unused jobs. This happens once per second, and at each beat of an
  /// idle run.
  private func lookForDead(wasIdle: Bool, hasWaiting: Bool) async throws(Failure) {
    let time = SteadyClock.now()
    // Do not do this while the run ends, because it would queue the jobs that the run is interrupting.
    guard wasIdle || time - reapedAt >= Heartbeat.reapInterval, !isStopping else { return }
    reapedAt = time
    try await reap()
    try await claimer.giveBackUnused()
    try await claimer.count()
    if wasIdle && hasWaiting || claimer.hasReconnected { claimer.queueMayHaveChanged() }
  }

  /// Starts the next checkpoint if it is time for it. There is only one checkpoint at a time, and beats do not wait for
  /// it, so that a slow disk does not delay commands.
  private func nextCheckpoint() -> Task<Void, Never>? {
    let now = SteadyClock.now()
    guard now - checkpointedAt >= Heartbeat.checkpointInterval, !isCheckpointing, !tools.isTemporary else { return nil }
    checkpointedAt = now
    isCheckpointing = true
    return Task {
      await self.checkpointAll()
      self.isCheckpointing = false
    }
  }

  /// Ends an idle run's wait for changes after one second.
  private func rest() async throws {
    try await Task.sleep(for: .seconds(Heartbeat.reapInterval))
    signal.pulse.continuation.yield()
  }

  /// Looks at the queue after the wall clock was set or the machine has slept, because waiting jobs may be due.
  private func noticeClock() {
    let lead = WallClock.now() - SteadyClock.now()
    if let before = clockLead, abs(lead - before) > 1 { claimer.queueMayHaveChanged() }
    clockLead = lead
  }

  /// Brings the bytes of all transfers to the disk, and records them.
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

  /// Applies the present rate limit: that of `dray limit`, or else the run's own. The rule is evaluated at each beat,
  /// so no timer is needed, and setting the clock does no harm.
  private func applyLimit(_ setting: String?) {
    overallLimit.setLimit(options.rule(setting).rate(at: WallClock.now(), zone: options.zone))
  }

  /// Applies the present number of jobs: that of `dray limit --jobs`, or else that of the run.
  private func applyJobs(_ setting: String?) {
    if claimer.slots.setJobs(options.jobs(setting)) { claimer.queueMayHaveChanged() }
  }

  /// Ends the limits of origins that refused jobs once their time is over. Records the limits, so that other processes
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
      // Do not try again: if the store cannot be reached, further calls would delay the beat. At the end of the run,
      // the limits are recorded once more.
    }
    recordedLimits = limits
  }

  /// Lets other jobs run in the places of jobs that have no answer yet.
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
    // Waiting jobs are given back, so that they are claimed again with their new limits.
    if claimer.slots.hasWaiting(where: { limits[$0.id] != $0.specification.options.rateLimit }) {
      try await claimer.giveBack()
      claimer.queueMayHaveChanged()
    }
  }

  /// Takes over jobs of runners that died or ended.
  private func reap() async throws(Failure) {
    // Abandoned jobs are queued in any case, because another process may have released the jobs of a dead runner first.
    let abandoned = try await worker.run {
      [store, home, destinations = destinations.all, claims = scope.claims, continued = scope.continued]
      () async throws(Failure) in
      try await Recovery.reap(store, home, destinations)
      return try await store.requeueAbandoned(scope: claims, continued)
    }
    if !abandoned.isEmpty { claimer.queueMayHaveChanged() }
  }
}

extension RunOptions {
  /// Returns the present rate rule: the one for all runs, or else that of this run.
  func rule(_ setting: String?) -> RateRule { setting.flatMap { try? RateRule.parse($0) } ?? overallRule }

  /// Returns the present number of jobs: the one for all runs, or else that of this run.
  func jobs(_ setting: String?) -> Int? {
    guard let limit = setting.flatMap(JobsLimit.init) else { return maxConcurrent }
    return limit.number
  }
}
