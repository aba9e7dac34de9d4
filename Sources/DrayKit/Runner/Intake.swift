// How slots are filled: from the queue, and where jobs end quickly from those that were claimed ahead of their turn.

internal import DrayEngine
internal import DrayStore
internal import Glibc
internal import Threads

/// What a run claims, and when.
@RunActor
final class Intake: RunPart {
  /// When to claim, and how many.
  private struct Claiming {
    /// How many were to be claimed ahead, last time.
    var ahead = 0
    var lookahead = Lookahead()
    /// Whether the queue may have a job that is due; cleared by a claim that came back short.
    var mayClaim = true
    /// Whether a command is pending for a job that is not here yet.
    var mustPollCommands = false
  }

  nonisolated let attempts: Attempts
  private nonisolated let scope: RegisteredScope
  private nonisolated let news = NewsBell()
  private var claiming = Claiming()
  /// How jobs ended of which it is not known here yet that they began.
  private var early: [JobID: (TransferOutcome, isHandedOn: Bool)] = [:]
  /// Jobs that were claimed again before their last attempt had left: what it gave up another claim may take at once. They
  /// begin when it has; with the command that came for them meanwhile.
  private(set) var reclaimed: [JobID: (job: ReservedJob, command: JobCommand?)] = [:]
  /// Jobs of its scope that wait, and that another runner has, at the last count.
  private(set) var waiting = (queued: 0, elsewhere: 0)
  private var timer: Task<Void, Never>?

  /// Seconds without use after which jobs that were claimed ahead are given back.
  private static let patience = 1.0

  nonisolated var tools: RunTools { attempts.tools }
  nonisolated var signal: RunSignal { attempts.signal }
  nonisolated var slots: Slots { attempts.slots }

  nonisolated init(_ attempts: Attempts, _ scope: RegisteredScope) {
    (self.attempts, self.scope) = (attempts, scope)
  }

  /// Begins to be used; ``close()`` ends it.
  func open() {
    attempts.intake = self
    news.open { [self] in Task { await self.handleNews() } }
    slots.open(outside)
  }

  /// Ends the use.
  func close() {
    news.open(nil)
    slots.close()
    timer?.cancel()
  }

  /// Whether nothing is claimed here.
  var isIdle: Bool { attempts.running.isEmpty && attempts.publishing.isEmpty && slots.isIdle }

  // MARK: Claiming

  /// Fills the free slots from the queue.
  func fill() async throws(Failure) {
    absorb()
    while !isStopping {
      beginReserved()
      // The next are asked for while the last of these begin, so that no slot waits for the store.
      guard claiming.mayClaim, let free = slots.free, free > 0 || claiming.ahead > 0,
        slots.waiting <= claiming.ahead / 2
      else { return }
      claiming.mayClaim = false
      claiming.ahead = max(
        claiming.lookahead.count(ended: slots.takeEnded(), now: SteadyClock.now()), slots.ahead)
      let limit = free + max(0, claiming.ahead - slots.waiting)
      guard limit > 0 else { continue }
      let claimed = slots.claimed(ahead: claiming.ahead)
      let jobs = try await store.claim(
        runner: id, limit: limit, scope: scope.claims, jobsPerOrigin: claimed, now: WallClock.now())
      slots.add(await planned(jobs.filter { mayBeginNow($0) }), low: claiming.ahead / 2)
      if claiming.mustPollCommands {
        // A command came for a job that was on its way here.
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

  /// Whether nothing is left here of a job's last attempt; where something is, the job begins when that has gone.
  private func mayBeginNow(_ job: Job) -> Bool {
    guard attempts.isHere(job.id) else { return true }
    reclaimed[job.id] = (ReservedJob(job), nil)
    // A command that came for it meanwhile was taken for one about the attempt that is over.
    claiming.mustPollCommands = true
    return false
  }

  /// Checks the disk for new jobs, for all of them at once; one that has bytes is checked when it begins.
  private func planned(_ jobs: [Job]) async -> [ReservedJob] {
    guard jobs.count > 1 else { return jobs.map { ReservedJob($0) } }
    let new = jobs.map { job in
      job.publishing == nil && job.checkpoint.segments.isEmpty ? job.placed(at: attempts.mirrors[job.id]) : nil
    }
    let plans = await disk.attemptRun { [cookies, destinations] () async throws(Failure) in
      // Where the jar cannot be read, each attempt says so for itself.
      let cookies = (try? cookies.forMany()) ?? cookies
      var plans: [Result<AttemptPlan, Failure>?] = []
      plans.reserveCapacity(new.count)
      for job in new {
        guard let job else {
          plans.append(nil)
          continue
        }
        do throws(Failure) {
          plans.append(.success(try await AttemptPlan.make(job, cookies, destinations)))
        } catch {
          plans.append(.failure(error))
        }
      }
      return plans
    }
    guard case .success(let plans) = plans else { return jobs.map { ReservedJob($0) } }
    return zip(jobs, plans).map { ReservedJob($0, plan: $1, limits: [overallLimit], maxPerOrigin: tools.maxPerOrigin) }
  }

  // MARK: Beginning

  /// Starts jobs that were claimed already, as long as there are slots.
  private func beginReserved() {
    while !isStopping, let one = slots.take() {
      if one.direct == nil { attempts.begin(one) } else { slots.begin(one) }
    }
  }

  /// A slot is free.
  func slotIsFree() {
    beginReserved()
    queueMayHaveChanged()
  }

  /// An attempt at a job has left: if the job was claimed again meanwhile, it begins.
  func hasLeft(_ id: JobID) {
    // What a run that ends still holds is set free at its end.
    if let (job, command) = reclaimed.removeValue(forKey: id), command != nil || !isStopping {
      attempts.beginAtOnce(job)
      if let command { attempts.cancel(id, .end(.command(command))) }
    }
    slotIsFree()
  }

  /// What the slots need of the run, as long as it lasts.
  private var outside: Slots.Outside {
    Slots.Outside(
      start: { [attempts, slots] one, opensConnection in
        attempts.emit(one.job.id, one.started)
        guard var plan = one.direct else { preconditionFailure("it is not direct") }
        plan.opensConnection = opensConnection
        return attempts.engine.start(plan, observer: attempts.watcher(one.job)) { slots.ended(one, $0) }
      },
      limitStreams: { [attempts] in attempts.engine.limitStreams(to: $0) },
      notify: { [news] in news.ring(soon: $0) })
  }

  // MARK: What happened in the slots

  /// Handles what happened in the slots, and what follows from it.
  private func handleNews() {
    news.begin()
    absorb()
    slotIsFree()
  }

  /// Handles what happened in the slots.
  func absorb() {
    for one in slots.takeNews() {
      switch one {
      case .began(let reserved, let transfer, let now, let time):
        let id = reserved.job.id
        let one = attempts.register(reserved, at: now, time: time)
        (one.transfer, one.destination) = (transfer, reserved.direct?.destination)
        if isStopping { attempts.cancelForEnd(id) }
        if let (outcome, isHandedOn) = early.removeValue(forKey: id) {
          attempts.directTransferEnded(reserved, outcome, isHandedOn)
        }
      case .ended(let reserved, let outcome, let isHandedOn):
        // It may have ended before the one who began it could say so.
        if attempts.running[reserved.job.id] == nil {
          early[reserved.job.id] = (outcome, isHandedOn)
        } else {
          attempts.directTransferEnded(reserved, outcome, isHandedOn)
        }
      }
    }
  }

  // MARK: Commands

  /// Has the pending commands of the jobs that are held here carried out.
  func pollCommands() async throws(Failure) {
    let commands = try await store.commands(runner: id)
    absorb()
    for (job, command) in commands {
      if reclaimed[job] != nil {
        reclaimed[job]?.command = command
        continue
      }
      if let one = slots.remove(job) { attempts.beginAtOnce(one) }
      if !attempts.isHere(job) { claiming.mustPollCommands = true }
      attempts.cancel(job, .end(.command(command)))
    }
  }

  // MARK: Giving back

  /// Gives back what was claimed ahead, if none of it has begun for a while.
  func giveBackUnused() async throws(Failure) {
    guard slots.waiting > 0, SteadyClock.now() - slots.lastBegin > Intake.patience else { return }
    try await giveBack()
    queueMayHaveChanged()
  }

  /// Gives back what was claimed ahead; where a job has a pending command, that is carried out.
  func giveBack() async throws(Failure) {
    let unused = slots.removeAll()
    guard !unused.isEmpty else { return }
    let ids = unused.map(\.job.id)
    let kept = try await store.giveBack(ids, runner: id)
    guard !kept.isEmpty else { return }
    for one in unused where kept.contains(one.job.id) { attempts.beginAtOnce(one) }
    try await pollCommands()
  }

  // MARK: What waits

  /// Counts the jobs of the scope that wait.
  func count() async throws(Failure) {
    let pending = try await store.pending(scope: scope.claims, runner: id)
    if waiting != (pending.queued, pending.activeElsewhere) { signal.activity.continuation.yield() }
    waiting = (pending.queued, pending.activeElsewhere)
  }

  /// Wakes the run when the next queued job becomes due. One whose origin has no room, or that waits for another job, is looked
  /// for when a job ends here, or another process has changed the store.
  private func setTimer() async throws(Failure) {
    let now = WallClock.now()
    let claimed = slots.claimed(ahead: claiming.ahead)
    let due = try await store.nextDue(scope: scope.claims, jobsPerOrigin: claimed, runner: id, now: now)
    timer?.cancel()
    guard let due else { return }
    // A clock that is set meanwhile is noticed by the beats, and within a minute in any case.
    let delay = min(max(due - now, 0.005), 60)
    timer = Task {
      try? await Task.sleep(for: .seconds(delay))
      if !Task.isCancelled { self.queueMayHaveChanged() }
    }
  }

  /// The queue may have a job that is due.
  func queueMayHaveChanged() {
    claiming.mayClaim = true
    signal.wake()
  }
}
