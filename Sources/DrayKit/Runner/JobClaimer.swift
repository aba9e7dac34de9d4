// Fills the slots with jobs from the queue; if jobs end quickly, it also claims jobs in advance.

internal import DrayEngine
internal import DrayStore
internal import Threads

@RunActor
final class JobClaimer: RunPart {
  /// Decides when to claim, and how many jobs.
  private struct Claiming {
    /// The number of jobs that the last claim was to claim in advance.
    var ahead = 0
    var lookahead = Lookahead()
    /// Whether the waiting jobs were counted before the first claim.
    var hasCounted = false
    /// Whether the queue may have a due job. A claim that returns fewer jobs than requested clears this.
    var mayClaim = true
    /// Whether a command is pending for a job that is not registered in this run yet.
    var mustPollCommands = false
    /// The earliest time of the next claim, if other runners have jobs.
    var next = 0.0
    /// Whether a timer will wake the run at that time.
    var isWoken = false
    /// The earliest time of the next search that leaves out jobs of shares which do not work here.
    var search = 0.0
  }

  nonisolated let registry: AttemptRegistry
  nonisolated let scope: RegisteredScope
  private nonisolated let news = NewsBell()
  private var claiming = Claiming()
  /// The outcomes of jobs whose start has not been reported yet.
  private var early: [JobID: (TransferOutcome, isHandedOn: Bool)] = [:]
  /// Jobs that were claimed again before their last attempt had left, each with the command that came since then, if
  /// any. They start once that attempt has left.
  private(set) var reclaimed: [JobID: (job: ReservedJob, command: JobCommand?)] = [:]
  /// The last counts: of queued jobs in the scope, and of jobs that other runners own.
  private(set) var waiting = (queued: 0, elsewhere: 0)
  private var timer: Task<Void, Never>?
  /// The value of the store's `connections` at the last search for ends that a crash has undone.
  var confirmedConnections: Int
  private(set) var window = RunWindow(nil, zone: .utc)
  /// Whether the window was open at the last beat.
  private var wasOpen = true
  /// The shares that did not work here at the last beat.
  var refused: [String] = []

  nonisolated var tools: RunTools { registry.tools }
  nonisolated var signal: RunSignal { registry.signal }
  nonisolated var slots: Slots { registry.slots }

  nonisolated init(_ registry: AttemptRegistry, _ scope: RegisteredScope) {
    (self.registry, self.scope) = (registry, scope)
    confirmedConnections = registry.store.connections
  }

  /// Whether the store has connected to its server again since that search.
  var hasReconnected: Bool { store.connections != confirmedConnections }

  /// Starts to use the slots, until ``close()`` is called.
  /// - Parameter window: The window of the run.
  func open(_ window: TransferWindow?) {
    registry.claimer = self
    self.window = RunWindow(window, zone: tools.zone)
    news.open { [self] in Task { await self.handleNews() } }
    slots.open(outside)
  }

  func close() {
    news.open(nil)
    slots.close()
    timer?.cancel()
  }

  var isIdle: Bool { registry.running.isEmpty && registry.publishing.isEmpty && slots.isIdle }

  // MARK: Claiming

  /// Fills the free slots from the queue.
  func fill() async throws(Failure) {
    absorb()
    try await settleHolds()
    if !claiming.hasCounted {
      claiming.hasCounted = true
      try await count()
      slots.expect(waiting.queued)
    }
    // The next beat notices when the window opens.
    while !signal.isHalted, window.isOpen(at: WallClock.now()) {
      beginReserved()
      // The next jobs are claimed while the last reserved ones start, so that no slot waits for the store.
      guard claiming.mayClaim, let free = slots.free, free > 0 || claiming.ahead > 0,
        slots.waiting <= claiming.ahead / 2
      else { return }
      guard !mustPause() else { return }
      claiming.mayClaim = false
      claiming.ahead = max(
        claiming.lookahead.count(ended: slots.takeEnded(), now: SteadyClock.now()), slots.ahead)
      let limit = free + max(0, claiming.ahead - slots.waiting)
      guard limit > 0 else { continue }
      let query = query(at: WallClock.now())
      let begun = SteadyClock.now()
      let jobs = try await store.claim(query, limit: limit, runner: runner)
      let ended = SteadyClock.now()
      claiming.next = Lookahead.next(after: begun..<ended)
      // A search that leaves out a share has to read all jobs on it.
      claiming.search = query.queues.places.isEmpty ? 0 : ended + JobClaimer.searchRest * (ended - begun)
      slots.add(await planned(jobs.filter { mayBeginNow($0) }), low: claiming.ahead / 2)
      if claiming.mustPollCommands {
        // The command was for a job that was being claimed at that moment.
        claiming.mustPollCommands = false
        try await pollCommands()
      }
      beginReserved()
      if jobs.count == limit {
        claiming.mayClaim = true
      } else {
        try await count()
        try await setTimer()
      }
    }
  }

  /// Returns whether the claim must be made later, because claims of several runners take turns, or because searches
  /// take long.
  private func mustPause() -> Bool {
    let turn = waiting.elsewhere > 0 && !isIdle ? claiming.next : 0
    let rest = max(turn, claiming.search) - SteadyClock.now()
    guard rest > 0 else { return false }
    guard !claiming.isWoken else { return true }
    claiming.isWoken = true
    Task {
      try? await Task.sleep(for: .seconds(rest))
      claiming.isWoken = false
      signal.wake()
    }
    return true
  }

  /// Returns whether the last attempt at a job has left completely; if not, the job starts when it has.
  func mayBeginNow(_ job: Job) -> Bool {
    guard registry.isHere(job.id) else { return true }
    reclaimed[job.id] = (ReservedJob(job), nil)
    // A command that came before the job was claimed again was given to the earlier attempt.
    claiming.mustPollCommands = true
    return false
  }

  /// Plans several new jobs together. Jobs that have bytes are planned when they start.
  private func planned(_ jobs: [Job]) async -> [ReservedJob] {
    guard jobs.count > 1 else { return jobs.map { ReservedJob($0) } }
    let plans = await disk.attemptRun {
      [cookies, destinations, shares, home, links = tools.links, mirrors = registry.mirrors] () async throws(Failure) in
      // If the jar cannot be read, each attempt reports this itself.
      let cookies = (try? cookies.forMany()) ?? cookies
      var plans: [Result<AttemptPlan, Failure>?] = []
      plans.reserveCapacity(jobs.count)
      for job in jobs {
        // A job in a bucket is planned later, because the other jobs must not wait for a server that does not answer.
        let asksServer = job.fileName != nil && job.specification.place.traits.asksServer
        // For the same reason, a job on a share that was not examined yet is planned later.
        let isKnown = shares?.isGood(job.specification.place) ?? true
        // An attempt with a journal takes over the bytes that a dead process has written.
        let hasJournal = job.attempts > 1 && JournalFiles.exists(for: job, in: home)
        guard job.publishing == nil, !hasJournal, job.checkpoint.segments.isEmpty, !job.part.mustBeReplaced,
          !asksServer, isKnown
        else {
          plans.append(nil)
          continue
        }
        do throws(Failure) {
          let job = job.placed(at: mirrors[job.id])
          let plan =
            job.attempts > 1
            ? try await AttemptPlan.make(job, cookies, destinations)
            : try AttemptPlan.makeFirst(job, cookies, destinations)
          plans.append(.success(plan.completed(by: links, job)))
        } catch {
          plans.append(.failure(error))
        }
      }
      return plans
    }
    guard case .success(let plans) = plans else { return jobs.map { ReservedJob($0) } }
    let now = WallClock.now()
    return zip(jobs, plans).map { job, plan in
      let limits = [namedQueues.limiter(of: job.specification.queue, at: now), overallLimit].compactMap(\.self)
      return ReservedJob(
        job, plan: plan, limits: limits, maxPerOrigin: tools.maxPerOrigin, keepsSmall: engine.keepsSmallFiles)
    }
  }

  // MARK: Starting

  /// Starts reserved jobs as long as there are free slots.
  private func beginReserved() {
    while !signal.isHalted, let one = slots.take() {
      if one.direct == nil { registry.begin(one) } else { slots.begin(one) }
    }
  }

  func slotIsFree() {
    beginReserved()
    queueMayHaveChanged()
  }

  /// Starts a job that was claimed again before its last attempt had left.
  func hasLeft(_ id: JobID) { haveLeft(CollectionOfOne(id)) }

  /// Starts the jobs that were claimed again before their last attempts had left.
  func haveLeft(_ ids: some Collection<JobID>) {
    // If the run is ending, it releases the jobs that it still owns at its end.
    for id in ids {
      guard let (job, command) = reclaimed.removeValue(forKey: id), !signal.isSuspended,
        command != nil || !isStopping
      else { continue }
      let one = registry.beginAtOnce(job)
      if let command { one.cancel(.end(.command(command))) }
    }
    slotIsFree()
  }

  private var outside: Slots.Outside {
    Slots.Outside(
      start: { [registry, slots] one, opensConnection in
        registry.emit(one.job.id, one.started)
        guard var plan = one.direct?.plan else { preconditionFailure("it is not direct") }
        plan.opensConnection = opensConnection
        return registry.engine.start(plan, observer: registry.watcher(one.job)) { slots.ended(one, $0) }
      },
      make: { [registry, slots] one, now, time in
        SmallJob(
          one, registry.engine.makeTransfer { slots.ended(one, $0) }, in: registry, at: now, time: time)
      },
      startSmall: { [registry] small, opensConnection, isFirst in
        guard let plan = small.reserved.direct else { preconditionFailure("it is not direct") }
        registry.emit(small.id, small.reserved.started)
        // Wake tasks only for the first job, because waking a task takes as long as a small file.
        if isFirst {
          registry.signal.pulse.continuation.yield()
          registry.signal.activity.continuation.yield()
        }
        registry.engine.start(small.transfer, plan, opensConnection: opensConnection, owner: small)
      },
      limitStreams: { [registry] in registry.engine.limitStreams(to: $0) },
      notify: { [news] in news.ring(soon: $0) })
  }

  // MARK: News from the slots

  /// Handles the news from the slots, and then fills the free slots.
  private func handleNews() {
    news.begin()
    absorb()
    slotIsFree()
  }

  /// Handles the news from the slots.
  func absorb() {
    for one in slots.takeNews() {
      switch one {
      case .began(let reserved, let transfer, let now, let time):
        let one = registry.register(reserved, transfer, at: now, time: time)
        if let (outcome, isHandedOn) = early.removeValue(forKey: reserved.job.id) {
          one.directTransferEnded(outcome, isHandedOn)
        }
      case .ended(let reserved, let outcome, let isHandedOn):
        // A job may end before its start has been reported.
        if let one = registry.running[reserved.job.id] {
          one.directTransferEnded(outcome, isHandedOn)
        } else {
          early[reserved.job.id] = (outcome, isHandedOn)
        }
      }
    }
  }

  // MARK: Commands

  /// Carries out the pending commands of the jobs of this run.
  func pollCommands() async throws(Failure) {
    let commands = try await store.commands(runner: runner)
    absorb()
    for (job, command) in commands {
      if reclaimed[job] != nil {
        reclaimed[job]?.command = command
        continue
      }
      if let one = slots.remove(job) { registry.beginAtOnce(one) }
      if slots.hasSmall(job) { registry.takeOver { $0.id == job } }
      if !registry.isHere(job) { claiming.mustPollCommands = true }
      registry.running[job]?.cancel(.end(.command(command)))
    }
  }

  // MARK: Giving back

  /// Drops the jobs that were claimed in advance, and records nothing, because the run is suspended. When the store can
  /// be reached again, the run releases these jobs.
  func dropUnstarted() {
    _ = slots.removeAll()
    reclaimed = [:]
    // This number is unknown until the store can be reached again.
    waiting.elsewhere = 0
  }

  // MARK: Windows and named queues

  /// Applies the windows: jobs whose window is closed are stopped and given back, and when the window of the run opens,
  /// the queue is searched for jobs.
  /// - Parameter current: The window of the run.
  func apply(_ current: TransferWindow?, now: Double) async throws(Failure) {
    let isOther = window.window != current
    window = RunWindow(current, zone: tools.zone)
    let isOpen = window.isOpen(at: now)
    if isOpen, !wasOpen || isOther { queueMayHaveChanged() }
    wasOpen = isOpen
    registry.takeOver { window.closed(for: $0, at: now) != nil }
    for one in registry.running.values {
      guard let closed = window.closed(for: one.job, at: now) else { continue }
      one.cancel(untilOpen: .outsideWindow(opening: closed.opening(at: now, zone: tools.zone)))
    }
    if slots.hasWaiting(where: { window.closed(for: $0, at: now) != nil }) {
      try await giveBack()
      queueMayHaveChanged()
    }
  }

  /// Reads the windows of single jobs again, because other processes may have changed them. The next beat applies the
  /// windows.
  func applyOwnWindows() async throws(Failure) {
    guard !isIdle else { return }
    let windows = try await store.windows(runner: runner)
    registry.takeOver { $0.specification.window != windows[$0.id] }
    for (id, one) in registry.running { one.job.specification.window = windows[id] }
    // Waiting jobs are given back, so that they are claimed again with their new windows.
    if slots.hasWaiting(where: { $0.specification.window != windows[$0.id] }) {
      try await giveBack()
      queueMayHaveChanged()
    }
  }

  /// Stops the jobs of named queues that are closed, and gives them back.
  func apply(_ gates: QueueGates) async throws(Failure) {
    let closed = gates.closed
    guard !closed.isEmpty else { return }
    for one in registry.running.values {
      guard let queue = one.job.specification.queue, closed.contains(queue) else { continue }
      one.cancel(untilOpen: .queueClosed(queue, opening: gates.until[queue]))
    }
    if slots.hasWaiting(where: { $0.specification.queue.map { closed.contains($0) } ?? false }) {
      try await giveBack()
      queueMayHaveChanged()
    }
  }

  // MARK: Waiting jobs

  /// Returns which jobs this run may claim at present.
  private func query(at now: Double) -> ClaimQuery {
    ClaimQuery(
      scope: scope.claims, jobsPerOrigin: slots.claimed(ahead: claiming.ahead), queues: gates(at: now), now: now,
      zone: tools.zone)
  }

  func count() async throws(Failure) {
    let pending = try await store.pending(scope: scope.claims, runner: runner)
    if waiting != (pending.queued, pending.activeElsewhere) { signal.activity.continuation.yield() }
    waiting = (pending.queued, pending.activeElsewhere)
  }

  /// Wakes the run when the next queued job becomes due. Jobs that wait for other jobs, or whose origin is at its
  /// limit, are looked for when a job ends here, or when another process changes the store.
  private func setTimer() async throws(Failure) {
    let now = WallClock.now()
    let query = query(at: now)
    // A search that leaves out a share may take long, so leave the search to the next claim.
    let due = query.queues.places.isEmpty ? try await store.nextDue(query, runner: runner) : now + 1
    timer?.cancel()
    guard let due else { return }
    // If the clock is set, the beats notice this, and the timer notices it within a minute.
    let delay = min(max(due - now, 0.005), 60)
    timer = Task {
      try? await Task.sleep(for: .seconds(delay))
      if !Task.isCancelled { self.queueMayHaveChanged() }
    }
  }

  func queueMayHaveChanged() {
    claiming.mayClaim = true
    signal.wake()
  }
}
