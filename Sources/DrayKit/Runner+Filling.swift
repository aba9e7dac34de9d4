// How slots are filled: from the queue, and where jobs end quickly from those that were claimed ahead of their turn.

internal import DrayEngine
internal import Foundation
internal import Synchronization

/// A job that was claimed ahead of its turn. It waits for a slot, and shortly at that.
final class ReservedJob: Sendable {
  let job: Job
  /// The origin of its URL.
  let origin: String
  /// What its attempt is to do, where that was looked at already.
  let plan: Result<AttemptPlan, Failure>?

  init(_ job: Job, plan: Result<AttemptPlan, Failure>? = nil) {
    (self.job, self.plan) = (job, plan)
    origin = job.specification.request.url.origin.description
  }
}

extension Runner {
  /// Files that may wait to be published before no more is begun.
  private static let publishBacklog = 512
  /// Seconds without use after which jobs that were claimed ahead are given back.
  private static let patience = 1.0

  /// The limit of each origin, with the jobs that are claimed here.
  private func originLimit(ahead: Int) -> OriginLimit {
    var mine = origins
    for one in reserve { mine[one.origin, default: 0] += 1 }
    return OriginLimit(options.maxPerOrigin, mine: mine, ahead: ahead)
  }

  /// Fills the free slots from the queue.
  func fill() async throws(Failure) {
    while !isStopping.load(ordering: .acquiring) {
      beginReserved()
      let free = options.maxConcurrent - running.count
      // The next are asked for while the last of these begin, so that no slot waits for the store.
      guard mayClaim, publishing.count < Runner.publishBacklog, reserve.count <= ahead / 2, free > 0 || ahead > 0
      else { return }
      mayClaim = false
      ahead = lookahead.count(now: Runner.clock)
      let limit = free + max(0, ahead - reserve.count)
      guard limit > 0 else { continue }
      let room = originLimit(ahead: ahead)
      let jobs = try await worker.run { [store, id, scope] () throws(Failure) in
        try store.claim(runner: id, limit: limit, scope: scope, perOrigin: room, now: WallClock.now())
      }
      reserve += await planned(jobs)
      lastBegin = Runner.clock
      if mustObey {
        // Something was wanted of a job that was on its way here.
        mustObey = false
        try await obey()
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

  /// Looks at the disk for new jobs, for all of them at once; one that has bytes is looked at when it begins.
  private func planned(_ jobs: [Job]) async -> [ReservedJob] {
    guard jobs.count > 1 else { return jobs.map { ReservedJob($0) } }
    let new = jobs.map { $0.publishing == nil && $0.checkpoint.segments.isEmpty ? placed($0) : nil }
    let plans = await disk.attemptRun { [cookies, directories] () throws(Failure) in
      new.map { job -> Result<AttemptPlan, Failure>? in
        guard let job else { return nil }
        do throws(Failure) {
          return .success(try AttemptPlan.make(job, cookies, directories))
        } catch {
          return .failure(error)
        }
      }
    }
    guard case .success(let plans) = plans else { return jobs.map { ReservedJob($0) } }
    return zip(jobs, plans).map { ReservedJob($0, plan: $1) }
  }

  /// Has jobs begin that were claimed already, as long as there are slots.
  func beginReserved() {
    while running.count < options.maxConcurrent, publishing.count < Runner.publishBacklog,
      !isStopping.load(ordering: .relaxed),
      let index = reserve.firstIndex(where: { origins[$0.origin, default: 0] < options.maxPerOrigin })
    {
      beginReserved(reserve.remove(at: index))
    }
  }

  func beginReserved(_ one: ReservedJob) {
    let job = one.job
    // A publish that was cut off is finished, not begun anew, whichever way the job came back into the queue.
    begin(job, from: one.origin) { [plan = one.plan] in
      await job.publishing == nil ? self.attempt(job, plan) : self.finishPublish(job)
    }
  }

  /// Takes a slot for a job and does its work there.
  func begin(_ job: Job, from origin: String, _ work: @escaping @Sendable () async -> Void) {
    begun += 1
    lastBegin = Runner.clock
    origins[origin, default: 0] += 1
    running[job.id] = RunningJob(job, from: origin, order: begun, now: WallClock.now())
    emit(job.id, .started(attempt: job.attempts))
    Task { await work() }
  }

  /// Takes a job's slot away.
  /// - Returns: the job, if it had one.
  func vacate(_ id: JobID) -> RunningJob? {
    guard let one = running.removeValue(forKey: id) else { return nil }
    lookahead.noteEnd()
    origins[one.origin, default: 1] -= 1
    if origins[one.origin] == 0 { origins[one.origin] = nil }
    return one
  }

  /// Gives back what was claimed ahead, if none of it has begun for a while.
  func giveBackUnused() async throws(Failure) {
    guard !reserve.isEmpty, Runner.clock - lastBegin > Runner.patience else { return }
    try await giveBack()
    lookAgain()
  }

  /// Gives back what was claimed ahead; where something is wanted of a job, that is done.
  func giveBack() async throws(Failure) {
    guard !reserve.isEmpty else { return }
    let unused = reserve
    reserve = []
    let ids = unused.map(\.job.id)
    let kept = try await worker.run { [store, id] () throws(Failure) in try store.giveBack(ids, runner: id) }
    guard !kept.isEmpty else { return }
    for one in unused where kept.contains(one.job.id) { beginReserved(one) }
    try await obey()
  }

  /// Seconds of a clock that only goes forward.
  static var clock: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Counts the jobs of the scope that wait.
  func count() async throws(Failure) {
    let pending = try await worker.run { [store, scope, id] () throws(Failure) in
      try store.pending(scope: scope, runner: id)
    }
    waiting = (pending.queued, pending.activeElsewhere)
  }

  /// Rings when the next queued job becomes due. One whose origin has no room, or that waits for another job, is looked
  /// for when a job ends here, or another process has changed the store.
  private func setTimer() async throws(Failure) {
    let now = WallClock.now()
    let room = originLimit(ahead: ahead)
    let due = try await worker.run { [store, id, scope] () throws(Failure) in
      try store.nextDue(scope: scope, perOrigin: room, runner: id, now: now)
    }
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
