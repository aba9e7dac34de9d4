// The slots of a run, and the jobs that wait for one: where a transfer ends, the next begins in the same moment and on
// the same thread, and the runner learns of both later, together with others.

internal import DrayEngine
internal import Glibc
internal import Synchronization
internal import Threads

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

  /// - Parameters:
  ///   - limits: those that it shares with others.
  ///   - maxPerOrigin: the most connections to its origin, where they are limited.
  init(
    _ job: Job, plan: Result<AttemptPlan, Failure>? = nil, limits: [RateLimiter] = [], maxPerOrigin: Int? = nil
  ) {
    (self.job, self.plan) = (job, plan)
    origin = ReservedJob.origin(of: job)
    limiter = RateLimiter(bytesPerSecond: job.specification.options.rateLimit)
    direct = ReservedJob.direct(job, plan, [limiter] + limits, maxPerOrigin)
  }

  /// The origin of a job's URL, as the store counts it.
  static func origin(of job: Job) -> String { job.specification.request.url.origin.description }

  /// The report of its start.
  var started: JobEvent.Kind {
    .started(attempt: job.attempts, isInsecure: job.specification.request.isInsecure)
  }

  private static func direct(
    _ job: Job, _ plan: Result<AttemptPlan, Failure>?, _ limiters: [RateLimiter], _ maxPerOrigin: Int?
  ) -> TransferPlan? {
    let (request, options) = (job.specification.request, job.specification.options)
    guard case .success(.transfer(var direct))? = plan, request.isSafe, request.cache?.ifChanged == nil,
      options.digest == nil, !(options.verify?.looksBeside ?? false), options.expectedSize == nil,
      options.mirrors == nil, options.repairs == nil, options.maxTime == nil, options.adopts == nil, !direct.isWhole
    else { return nil }
    direct.limiters = limiters
    direct.limitPerOrigin(maxPerOrigin)
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
    /// Starts the transfer of a direct job, which may have to open a connection.
    var start: @Sendable (ReservedJob, _ opensConnection: Bool) -> Transfer
    /// Limits the streams on a connection.
    var limitStreams: @Sendable (Int) -> Void
    /// Notifies the runner that there is news: soon, or with what comes in the next milliseconds.
    var notify: @Sendable (_ soon: Bool) -> Void
  }

  private struct State {
    var reserve: [ReservedJob] = []
    var running = 0
    /// How many there are to be.
    var jobs: Int?
    var growth: JobGrowth
    var origins: JobsPerOrigin
    /// Jobs whose files are large.
    var large: Set<JobID> = []
    /// Jobs that failed and still hold their slots, by origin.
    var failed: [JobID: String] = [:]
    var publishing = 0
    var ended = 0
    var lastBegin = 0.0
    var low = 0
    /// The number of streams on a connection, as the engine knows it.
    var streams = JobGrowth.streams
    var isOpen = true
    var news: [SlotNews] = []
    var outside: Outside?
  }

  private let state: Mutex<State>

  /// Files that may wait to be published before no more is begun.
  private let backlog: Int

  /// - Parameters:
  ///   - jobs: how many there are; `nil` for as many as help.
  ///   - perOrigin: how many of one origin, each of which needs a connection; `nil` for as many as help.
  ///   - budget: what may be open at once.
  ///   - known: how many helped former runs, by origin.
  init(
    jobs: Int?, perOrigin: Int?, _ budget: DescriptorBudget = DescriptorBudget(limit: nil), known: [String: Int] = [:]
  ) {
    backlog = budget.publishing
    let growth = JobGrowth(
      jobs: jobs, perOrigin: perOrigin, most: budget.jobs, known: known, now: SteadyClock.now())
    state = Mutex(State(jobs: jobs, growth: growth, origins: JobsPerOrigin(limit: growth.usualLimit)))
  }

  /// Begins to be used; ``close()`` ends it. What takes part is held until then.
  func open(_ outside: Outside) { state.withLock { $0.outside = outside } }

  // MARK: For the runner

  /// The number of jobs from now on; `nil` for as many as help. Those that run beyond it go on to their end.
  /// - Returns: whether it was another.
  func setJobs(_ jobs: Int?) -> Bool {
    state.withLock { state in
      guard state.jobs != jobs else { return false }
      state.jobs = jobs
      state.growth.setJobs(jobs)
      state.origins.limit = state.growth.usualLimit
      return true
    }
  }

  /// Free slots; `nil` while too many files wait to be published.
  var free: Int? { state.withLock { $0.publishing < backlog ? max(0, $0.growth.limit - $0.running) : nil } }

  /// Jobs that wait for a slot.
  var waiting: Int { state.withLock { $0.reserve.count } }

  /// Whether nothing runs, waits, or is news.
  var isIdle: Bool { state.withLock { $0.running == 0 && $0.reserve.isEmpty && $0.news.isEmpty } }

  /// Jobs by origin, those that wait among them, for a claim of so many more than may begin.
  func claimed(ahead: Int) -> JobsPerOrigin {
    state.withLock { state in
      state.origins.exceptions = state.growth.exceptions(now: SteadyClock.now())
      return state.reserve.reduce(into: state.origins.allowing(ahead: ahead)) { $0.add($1.origin) }
    }
  }

  /// How many more may soon begin than there are slots now.
  var ahead: Int { state.withLock { $0.growth.ahead } }

  /// When a job began for the last time, by a clock that only goes forward.
  var lastBegin: Double { state.withLock { $0.lastBegin } }

  /// How many jobs at once helped in this run, by origin.
  var learned: [String: Int] { state.withLock { $0.growth.learned } }

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

  /// Gives the slot of a job back.
  /// - Parameter isComplete: whether its file is here.
  func vacate(_ id: JobID, _ origin: String, isComplete: Bool) {
    state.withLock { vacate(&$0, id, origin, isComplete: isComplete) }
  }

  /// The head of a job's answer is here.
  func answered(_ id: JobID, _ origin: String, size: Int64?, version: String) {
    state.withLock { state in
      guard !state.large.contains(id) else { return }
      if state.growth.answered(origin, size: size, isMultiplexed: version.hasPrefix("2") || version.hasPrefix("3")) {
        state.large.insert(id)
      }
    }
  }

  /// The transfer of a job that has a slot failed.
  func failed(_ id: JobID, _ origin: String, _ failure: Failure) {
    state.withLock { state in
      guard state.failed.updateValue(origin, forKey: id) == nil else { return }
      let others = state.origins.count(of: origin) - state.failed.values.count { $0 == origin }
      let now = SteadyClock.now()
      state.growth.failed(failure, origin, others: others, now: now)
      state.origins.exceptions = state.growth.exceptions(now: now)
    }
  }

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
    let (outside, opens) = state.withLock { ($0.outside, $0.growth.takeOpening(job.origin)) }
    guard let outside else { return }
    let (now, time) = (SteadyClock.now(), WallClock.now())
    let transfer = outside.start(job, opens)
    state.withLock { $0.news.append(.began(job, transfer, at: now, time: time)) }
  }

  // MARK: For the loop's thread

  /// Receives the end of a direct job; what is next begins at once.
  func ended(_ job: ReservedJob, _ outcome: TransferOutcome) {
    let isWhole =
      if case .whole = outcome.end, outcome.cookies == nil, outcome.offered.isEmpty { true } else { false }
    let (next, streams, outside, isUrgent) = state.withLock { state in
      let isHandedOn = isWhole && state.isOpen
      state.news.append(.ended(job, outcome, isHandedOn: isHandedOn))
      guard isHandedOn else { return ([ReservedJob](), Int?.none, state.outside, true) }
      vacate(&state, job.job.id, job.origin, isComplete: true)
      state.publishing += 1
      var next: [ReservedJob] = []
      // More than one where the number has grown.
      while let one = take(&state, directOnly: true) { next.append(one) }
      return (next, takeStreams(&state), state.outside, state.reserve.count <= state.low)
    }
    if let streams { outside?.limitStreams(streams) }
    for one in next { begin(one) }
    outside?.notify(isUrgent || next.isEmpty)
  }

  // MARK: Counting

  private func take(_ state: inout State, directOnly: Bool = false) -> ReservedJob? {
    guard state.isOpen, state.running < state.growth.limit, state.publishing < backlog,
      let index = state.reserve.firstIndex(where: { state.origins.room(at: $0.origin) > 0 })
    else { return nil }
    let job = state.reserve[index]
    if directOnly, job.direct == nil { return nil }
    state.reserve.remove(at: index)
    occupy(&state, job.origin)
    return job
  }

  /// The number of streams on a connection, if the engine knows another one.
  private func takeStreams(_ state: inout State) -> Int? {
    let streams = state.growth.streamsPerConnection
    guard streams != state.streams else { return nil }
    state.streams = streams
    return streams
  }

  private func occupy(_ state: inout State, _ origin: String) {
    state.running += 1
    state.origins.add(origin)
    state.lastBegin = SteadyClock.now()
  }

  private func vacate(_ state: inout State, _ id: JobID, _ origin: String, isComplete: Bool) {
    state.running -= 1
    state.ended += 1
    state.origins.remove(origin)
    state.failed[id] = nil
    let isLarge = state.large.remove(id) != nil
    state.growth.ended(isLarge: isLarge, isComplete: isComplete, now: SteadyClock.now())
    if state.reserve.isEmpty, state.running < state.growth.limit / 2 { state.growth.starved() }
  }
}
