// How slots are filled: from the queue, and where jobs end quickly from those that were claimed ahead of their turn;
// and what follows when a job that needs nothing but a transfer ends.

internal import DrayEngine
internal import Foundation
internal import Synchronization

extension Runner {
  /// Seconds without use after which jobs that were claimed ahead are given back.
  private static let patience = 1.0

  /// Fills the free slots from the queue.
  func fill() async throws(Failure) {
    absorb()
    while !isStopping.load(ordering: .acquiring) {
      beginReserved()
      // The next are asked for while the last of these begin, so that no slot waits for the store.
      guard mayClaim, let free = slots.free, free > 0 || ahead > 0, slots.waiting <= ahead / 2 else { return }
      mayClaim = false
      ahead = lookahead.count(ended: slots.takeEnded(), now: SteadyClock.now())
      let limit = free + max(0, ahead - slots.waiting)
      guard limit > 0 else { continue }
      let claimed = slots.claimed(ahead: ahead)
      let jobs = try await store.claim(
        runner: id, limit: limit, scope: scope, jobsPerOrigin: claimed, now: WallClock.now())
      slots.add(await planned(jobs.filter(mayBeginNow)), low: ahead / 2)
      if mustPollCommands {
        // A command came for a job that was on its way here.
        mustPollCommands = false
        try await pollCommands()
      }
      beginReserved()
      if jobs.count == limit {
        mayClaim = true
      } else {
        try await count()
        try await setTimer()
      }
    }
  }

  /// Whether nothing is left here of a job's last attempt; where something is, the job begins when that has gone.
  private func mayBeginNow(_ job: Job) -> Bool {
    if running[job.id] == nil, publishing[job.id] == nil { return true }
    reclaimed[job.id] = (ReservedJob(job), nil)
    // A command that came for it meanwhile was taken for one about the attempt that is over.
    mustPollCommands = true
    return false
  }

  /// Starts a job that was claimed again, because its last attempt has left.
  func beginReclaimed(_ id: JobID) {
    guard let (job, command) = reclaimed.removeValue(forKey: id) else { return }
    // What a run that ends still holds is set free at its end.
    guard command != nil || !isStopping.load(ordering: .acquiring) else { return }
    beginAtOnce(job)
    if let command { cancel(id, .end(.command(command))) }
  }

  /// Checks the disk for new jobs, for all of them at once; one that has bytes is checked when it begins.
  private func planned(_ jobs: [Job]) async -> [ReservedJob] {
    guard jobs.count > 1 else { return jobs.map { ReservedJob($0) } }
    let new = jobs.map { $0.publishing == nil && $0.checkpoint.segments.isEmpty ? $0.placed(at: mirrors[$0.id]) : nil }
    let plans = await disk.attemptRun { [cookies, directories, home] () async throws(Failure) in
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
          plans.append(.success(try await AttemptPlan.make(job, cookies, directories, home)))
        } catch {
          plans.append(.failure(error))
        }
      }
      return plans
    }
    guard case .success(let plans) = plans else { return jobs.map { ReservedJob($0) } }
    return zip(jobs, plans).map { ReservedJob($0, plan: $1, limits: [overallLimit]) }
  }

  // MARK: Beginning

  /// Starts jobs that were claimed already, as long as there are slots.
  func beginReserved() {
    while !isStopping.load(ordering: .relaxed), let one = slots.take() {
      if one.direct == nil { begin(one) } else { slots.begin(one) }
    }
  }

  /// Starts a job that has a slot.
  private func begin(_ one: ReservedJob) {
    note(one, at: SteadyClock.now(), time: WallClock.now())
    emit(one.job.id, one.started)
    // A publish that was cut off is finished, not started again, whichever way the job came back into the queue.
    Task { await one.job.publishing == nil ? self.attempt(one.job, one.plan) : self.finishPublish(one.job) }
  }

  /// Starts a job regardless of the limits.
  func beginAtOnce(_ one: ReservedJob) {
    slots.occupy(one.origin)
    begin(one)
  }

  @discardableResult
  private func note(_ one: ReservedJob, at now: Double, time: Double) -> RunningJob {
    begun += 1
    let job = RunningJob(one, order: begun, at: now, time: time)
    running[one.job.id] = job
    pulse.continuation.yield()
    activity.continuation.yield()
    return job
  }

  /// What the slots need of the run, as long as it lasts.
  nonisolated var outside: Slots.Outside {
    Slots.Outside(
      start: { [self] one in
        emit(one.job.id, one.started)
        guard let plan = one.direct else { preconditionFailure("it is not direct") }
        return engine.start(plan, observer: watcher(one.job)) { [slots] in slots.ended(one, $0) }
      },
      tell: { [self] in news.ring(soon: $0) })
  }

  // MARK: What happened in the slots

  /// Takes in what happened, and has what follows done.
  func handleNews() {
    news.begin()
    absorb()
    beginReserved()
    lookAgain()
  }

  /// Handles an event.
  func absorb() {
    for one in slots.takeNews() {
      switch one {
      case .began(let reserved, let transfer, let now, let time):
        let id = reserved.job.id
        let one = note(reserved, at: now, time: time)
        (one.transfer, one.directory) = (transfer, reserved.direct?.directory)
        if isStopping.load(ordering: .relaxed) { cancel(id, fatal.map { .runFails($0) } ?? .end(.shutdown)) }
        if let (outcome, isHandedOn) = early.removeValue(forKey: id) { directEnded(reserved, outcome, isHandedOn) }
      case .ended(let reserved, let outcome, let isHandedOn):
        // It may have ended before the one who began it could say so.
        if running[reserved.job.id] == nil {
          early[reserved.job.id] = (outcome, isHandedOn)
        } else {
          directEnded(reserved, outcome, isHandedOn)
        }
      }
    }
  }

  /// A direct job's transfer has ended: what is whole is published, all else goes the way of all others.
  private func directEnded(_ reserved: ReservedJob, _ outcome: TransferOutcome, _ isHandedOn: Bool) {
    let job = reserved.job
    guard let one = running[job.id] else { return }
    one.hasSlot = !isHandedOn
    let isWanted = if case .end(.command)? = one.cancelled { true } else { false }
    if isHandedOn, !isWanted, case .whole(let part, let size, let proof) = outcome.end {
      publish(
        job, part, size: size, digest: nil, response: outcome.response ?? job.response,
        note: note(outcome, proof, cookies: nil), attempt: record("complete", job, last: size))
    } else {
      Task { await self.transferEnded(job, one.transfer, outcome) }
    }
  }

  /// Frees a job's slot.
  /// - Returns: the job, if it had one.
  func vacate(_ id: JobID) -> RunningJob? {
    guard let one = running.removeValue(forKey: id) else { return nil }
    one.search?.cancel()
    if one.hasSlot { slots.vacate(one.origin) } else { slots.countPublishing(-1) }
    return one
  }

  // MARK: Giving back

  /// Gives back what was claimed ahead, if none of it has begun for a while.
  func giveBackUnused() async throws(Failure) {
    guard slots.waiting > 0, SteadyClock.now() - slots.lastBegin > Runner.patience else { return }
    try await giveBack()
    lookAgain()
  }

  /// Gives back what was claimed ahead; where a job has a pending command, that is carried out.
  func giveBack() async throws(Failure) {
    let unused = slots.removeAll()
    guard !unused.isEmpty else { return }
    let ids = unused.map(\.job.id)
    let kept = try await store.giveBack(ids, runner: id)
    guard !kept.isEmpty else { return }
    for one in unused where kept.contains(one.job.id) { beginAtOnce(one) }
    try await pollCommands()
  }

  // MARK: What waits

  /// Counts the jobs of the scope that wait.
  func count() async throws(Failure) {
    let pending = try await store.pending(scope: scope, runner: id)
    if waiting != (pending.queued, pending.activeElsewhere) { activity.continuation.yield() }
    waiting = (pending.queued, pending.activeElsewhere)
  }

  /// Rings when the next queued job becomes due. One whose origin has no room, or that waits for another job, is looked
  /// for when a job ends here, or another process has changed the store.
  private func setTimer() async throws(Failure) {
    let now = WallClock.now()
    let claimed = slots.claimed(ahead: ahead)
    let due = try await store.nextDue(scope: scope, jobsPerOrigin: claimed, runner: id, now: now)
    timer?.cancel()
    guard let due else { return }
    // A clock that is set meanwhile is noticed within a minute.
    let delay = min(max(due - now, 0.005), 60)
    timer = Task {
      try? await Task.sleep(for: .seconds(delay))
      if !Task.isCancelled { self.lookAgain() }
    }
  }

  /// The queue may have changed.
  func lookAgain() {
    mayClaim = true
    ring()
  }
}
