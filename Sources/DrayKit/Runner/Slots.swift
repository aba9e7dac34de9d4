// The slots of a run, and the jobs that wait for one: where a transfer ends, the next begins in the same moment and on
// the same thread, and the runner learns of both later, together with others.

internal import DrayEngine
internal import Foundation
internal import Synchronization

/// A job that was claimed and waits for a slot, shortly.
final class ReservedJob: Sendable {
  let job: Job
  /// The origin of its URL.
  let origin: String
  /// What its attempt is to do, where that was checked already.
  let plan: Result<AttemptPlan, Failure>?
  /// The limit of this job alone.
  let limiter: RateLimiter
  /// What to transfer, where the attempt is nothing but a transfer, and a file that is whole is published as it is.
  let direct: TransferPlan?

  /// - Parameter limits: those that it shares with others.
  init(_ job: Job, plan: Result<AttemptPlan, Failure>? = nil, limits: [RateLimiter] = []) {
    (self.job, self.plan) = (job, plan)
    origin = job.specification.request.url.origin.description
    limiter = RateLimiter(bytesPerSecond: job.specification.options.rateLimit)
    direct = ReservedJob.direct(job, plan, [limiter] + limits)
  }

  /// The report of its start.
  var started: JobEvent.Kind {
    .started(attempt: job.attempts, isInsecure: job.specification.request.isInsecure)
  }

  private static func direct(
    _ job: Job, _ plan: Result<AttemptPlan, Failure>?, _ limiters: [RateLimiter]
  ) -> TransferPlan? {
    let (request, options) = (job.specification.request, job.specification.options)
    guard case .success(.transfer(var direct))? = plan, request.isSafe, request.cache?.ifChanged == nil,
      options.digest == nil, !(options.verify?.looksBeside ?? false), options.expectedSize == nil,
      options.mirrors == nil, options.repairs == nil, !direct.isWhole
    else { return nil }
    direct.limiters = limiters
    return direct
  }
}

/// What happened to jobs since the runner looked.
enum SlotNews: Sendable {
  /// It began, at this time by a clock that only goes forward and in seconds since 1970.
  case began(ReservedJob, Transfer, at: Double, time: Double)
  /// Its transfer ended; a slot that was handed on is another's by now.
  case ended(ReservedJob, TransferOutcome, isHandedOn: Bool)
}

/// Which jobs hold a slot and which are next. Any thread may ask.
final class Slots: Sendable {
  /// How the outside takes part.
  struct Outside: Sendable {
    /// Starts the transfer of a direct job.
    var start: @Sendable (ReservedJob) -> Transfer
    /// Notifies the runner that there is news: soon, or with what comes in the next milliseconds.
    var tell: @Sendable (_ soon: Bool) -> Void
  }

  private struct State {
    var reserve: [ReservedJob] = []
    var running = 0
    var origins: JobsPerOrigin
    var publishing = 0
    var ended = 0
    var lastBegin = 0.0
    var low = 0
    var isOpen = true
    var news: [SlotNews] = []
    var outside: Outside?
  }

  private let state: Mutex<State>
  private let limit: Int

  /// Files that may wait to be published before no more is begun.
  private let backlog: Int

  /// - Parameter budget: what may be open at once.
  init(limit: Int, jobsPerOrigin: Int, _ budget: DescriptorBudget = DescriptorBudget(limit: nil)) {
    (self.limit, backlog) = (min(limit, budget.jobs), budget.publishing)
    state = Mutex(State(origins: JobsPerOrigin(limit: jobsPerOrigin)))
  }

  /// Begins to be used; ``close()`` ends it. What takes part is held until then.
  func open(_ outside: Outside) { state.withLock { $0.outside = outside } }

  // MARK: For the runner

  /// Free slots; `nil` while too many files wait to be published.
  var free: Int? { state.withLock { $0.publishing < backlog ? max(0, limit - $0.running) : nil } }

  /// Jobs that wait for a slot.
  var waiting: Int { state.withLock { $0.reserve.count } }

  /// Whether nothing runs, waits, or is news.
  var isIdle: Bool { state.withLock { $0.running == 0 && $0.reserve.isEmpty && $0.news.isEmpty } }

  /// Jobs by origin, those that wait among them, for a claim of so many more than may begin.
  func claimed(ahead: Int) -> JobsPerOrigin {
    state.withLock { state in
      state.reserve.reduce(into: state.origins.allowing(ahead: ahead)) { $0.add($1.origin) }
    }
  }

  /// When a job began for the last time, by a clock that only goes forward.
  var lastBegin: Double { state.withLock { $0.lastBegin } }

  /// How many jobs gave their slot back since this was asked.
  func takeEnded() -> Int {
    state.withLock { state in
      defer { state.ended = 0 }
      return state.ended
    }
  }

  /// Makes jobs wait for a slot; the runner is notified when at most `low` are left.
  func add(_ jobs: [ReservedJob], low: Int) {
    state.withLock { state in
      state.reserve += jobs
      state.low = low
      state.lastBegin = SteadyClock.now()
    }
  }

  /// The next job that may begin, and its slot.
  func take() -> ReservedJob? { state.withLock { take(&$0) } }

  /// Assigns a slot to a job regardless of the limits.
  func occupy(_ origin: String) { state.withLock { occupy(&$0, origin) } }

  /// Gives a slot back.
  func vacate(_ origin: String) { state.withLock { vacate(&$0, origin) } }

  /// Counts files that wait to be published.
  func countPublishing(_ change: Int) {
    state.withLock { state in
      state.publishing += change
      // Below, the limit of what may wait would be none.
      assert(state.publishing >= 0, "more files left than wait to be published")
    }
  }

  /// Removes a job that waits.
  func remove(_ id: JobID) -> ReservedJob? {
    state.withLock { state in
      state.reserve.firstIndex { $0.job.id == id }.map { state.reserve.remove(at: $0) }
    }
  }

  /// Removes all that wait.
  func removeAll() -> [ReservedJob] {
    state.withLock { state in
      defer { state.reserve = [] }
      return state.reserve
    }
  }

  /// What happened since this was asked.
  func takeNews() -> [SlotNews] {
    state.withLock { state in
      defer { state.news = [] }
      return state.news
    }
  }

  /// From now on no job gets a slot by itself.
  func shut() { state.withLock { $0.isOpen = false } }

  /// Ends the use.
  func close() { state.withLock { $0.outside = nil } }

  /// Begins a direct job that has a slot.
  func begin(_ job: ReservedJob) {
    guard let outside = state.withLock({ $0.outside }) else { return }
    let (now, time) = (SteadyClock.now(), WallClock.now())
    let transfer = outside.start(job)
    state.withLock { $0.news.append(.began(job, transfer, at: now, time: time)) }
  }

  // MARK: For the loop's thread

  /// Receives the end of a direct job; what is next begins at once.
  func ended(_ job: ReservedJob, _ outcome: TransferOutcome) {
    let isWhole =
      if case .whole = outcome.end, outcome.cookies == nil, outcome.offered.isEmpty { true } else { false }
    let (next, outside, isUrgent) = state.withLock { state in
      let isHandedOn = isWhole && state.isOpen
      state.news.append(.ended(job, outcome, isHandedOn: isHandedOn))
      guard isHandedOn else { return (nil as ReservedJob?, state.outside, true) }
      vacate(&state, job.origin)
      state.publishing += 1
      let next = state.publishing < backlog ? take(&state, directOnly: true) : nil
      return (next, state.outside, state.reserve.count <= state.low)
    }
    if let next { begin(next) }
    outside?.tell(isUrgent || next == nil)
  }

  // MARK: Counting

  private func take(_ state: inout State, directOnly: Bool = false) -> ReservedJob? {
    guard state.isOpen, state.running < limit, state.publishing < backlog,
      let index = state.reserve.firstIndex(where: { state.origins.room(at: $0.origin) > 0 })
    else { return nil }
    let job = state.reserve[index]
    if directOnly, job.direct == nil { return nil }
    state.reserve.remove(at: index)
    occupy(&state, job.origin)
    return job
  }

  private func occupy(_ state: inout State, _ origin: String) {
    state.running += 1
    state.origins.add(origin)
    state.lastBegin = SteadyClock.now()
  }

  private func vacate(_ state: inout State, _ origin: String) {
    state.running -= 1
    state.ended += 1
    state.origins.remove(origin)
  }
}
