// The slots of a run, and the jobs that wait for a slot. When a transfer ends, the next job starts at once, on the same
// thread. The runner is notified of both events later, together with further events.

internal import DrayEngine
internal import Synchronization
internal import Threads

/// The events since the runner last asked for news.
enum SlotNews: Sendable {
  /// The job started at this time of a monotonic clock, and at this time in seconds since 1970.
  case began(ReservedJob, Transfer, at: Double, time: Double)
  /// The transfer has ended. If `isHandedOn`, its slot already belongs to another job.
  case ended(ReservedJob, TransferOutcome, isHandedOn: Bool)
}

/// The jobs in slots, and the jobs that wait for a slot. Any thread may use this object.
final class Slots: Sendable {
  /// The parts of the run that the slots call.
  struct Outside: Sendable {
    var start: @Sendable (ReservedJob, _ opensConnection: Bool) -> Transfer
    /// Makes the transfer of a small file; the transfer is started later.
    var make: @Sendable (ReservedJob, _ now: Double, _ time: Double) -> SmallJob
    /// Starts the transfer of a small file. `isFirst` says that it is the first of those that start together.
    var startSmall: @Sendable (SmallJob, _ opensConnection: Bool, _ isFirst: Bool) -> Void
    var limitStreams: @Sendable (Int) -> Void
    /// Notifies the runner: either soon, or together with the events of the next milliseconds.
    var notify: @Sendable (_ soon: Bool) -> Void
  }

  struct State {
    var reserve: [ReservedJob] = []
    var running = 0
    var jobs: Int?
    var growth: JobGrowth
    var origins: JobsPerOrigin
    /// The number of requests that each origin accepts.
    var room = RequestRoom()
    /// The number of jobs of each origin that have had no answer for a while.
    var silent: [String: Int] = [:]
    /// The number of complete files from each origin that has refused a request.
    var served: [String: Int] = [:]
    /// The answered jobs whose files are not small.
    var larger: [JobID: LargerFile] = [:]
    /// Failed jobs that still have their slots, with their origins.
    var failed: [JobID: String] = [:]
    var publishing = 0
    /// The jobs of the batch: jobs in transfer, and jobs that wait for their publish.
    var small: [JobID: SmallEntry] = [:]
    var ended = 0
    var lastBegin = 0.0
    var low = 0
    /// The number of streams on a connection, as the engine was last told.
    var streams = JobGrowth.streams
    var isOpen = true
    var news: [SlotNews] = []
    var outside: Outside?
  }

  /// A file that is not small.
  struct LargerFile {
    var size: SizeClass
    var origin: String
    /// The time at which the head of its answer arrived, by a monotonic clock.
    var since: Double
    /// The seconds of a round trip; `nil` if unknown, or if the user limits the rate.
    var roundTrip: Double?

    /// Returns how long the file has taken so far; `nil` if the round trip is unknown.
    func pace(at now: Double) -> FilePace? { roundTrip.map { FilePace(seconds: now - since, roundTrip: $0) } }
  }

  let state: Mutex<State>

  /// While this many files wait for their publish, no further jobs start.
  private let backlog: Int

  /// - Parameters:
  ///   - jobs: The number of slots; with `nil`, as many as help.
  ///   - perOrigin: The maximum number of jobs of one origin, each with a connection; with `nil`, as many as help.
  ///   - budget: The limits on open descriptors.
  ///   - known: The numbers of jobs that helped in earlier runs, by origin.
  init(
    jobs: Int?, perOrigin: Int?, _ budget: DescriptorBudget = DescriptorBudget(limit: nil), known: [String: Int] = [:]
  ) {
    backlog = budget.publishing
    let growth = JobGrowth(
      jobs: jobs, perOrigin: perOrigin, most: budget.jobs, known: known, now: SteadyClock.now())
    state = Mutex(State(jobs: jobs, growth: growth, origins: JobsPerOrigin(limit: growth.usualLimit)))
  }

  /// Records the number of waiting jobs before the first job starts.
  func expect(_ jobs: Int) { state.withLock { $0.growth.expect(jobs) } }

  /// Starts to use the slots, until ``close()`` is called. The callbacks are retained until then.
  func open(_ outside: Outside) { state.withLock { $0.outside = outside } }

  // MARK: For the runner

  /// Changes the number of slots; with `nil`, as many are used as help. If more jobs are running, they continue until
  /// they end.
  /// - Returns: Whether the number changed.
  func setJobs(_ jobs: Int?) -> Bool {
    state.withLock { state in
      guard state.jobs != jobs else { return false }
      state.jobs = jobs
      state.growth.setJobs(jobs)
      state.origins.limit = state.growth.usualLimit
      return true
    }
  }

  /// Ends the limits of origins that refused jobs once their time is over.
  /// - Returns: Whether an origin may have more jobs now.
  func lapse() -> Bool {
    state.withLock { state in
      let now = SteadyClock.now()
      guard state.growth.lapse(now: now) else { return false }
      state.origins.exceptions = state.growth.exceptions(now: now)
      return true
    }
  }

  /// The number of free slots; `nil` while too many files wait for their publish.
  var free: Int? { state.withLock { $0.publishing < backlog ? max(0, $0.limit - $0.running) : nil } }

  var waiting: Int { state.withLock { $0.reserve.count } }

  func hasWaiting(where condition: (Job) -> Bool) -> Bool {
    state.withLock { $0.reserve.contains { condition($0.job) } }
  }

  /// Whether no job is running or waiting, and all news was taken.
  var isIdle: Bool { state.withLock { $0.running == 0 && $0.reserve.isEmpty && $0.news.isEmpty && $0.small.isEmpty } }

  /// Returns the numbers of jobs by origin, including waiting jobs, for a claim of `ahead` more jobs than may start.
  func claimed(ahead: Int) -> JobsPerOrigin {
    state.withLock { state in
      state.origins.exceptions = state.growth.exceptions(now: SteadyClock.now())
      var jobs = state.origins.allowing(ahead: ahead)
      jobs.closed = state.room.closed(now: WallClock.now())
      if state.hasOnlyExtraSlots { jobs.closed.formUnion(state.silent.keys) }
      return state.reserve.reduce(into: jobs) { $0.add($1.origin) }
    }
  }

  /// The number of jobs beyond the present slots that may start soon.
  var ahead: Int { state.withLock { $0.growth.ahead } }

  /// The time at which a job last started, by a monotonic clock.
  var lastBegin: Double { state.withLock { $0.lastBegin } }

  /// The numbers of jobs at once that helped in this run, by origin.
  var learned: [String: Int] { state.withLock { $0.growth.learned } }

  /// The limits of origins that refused jobs, for other processes.
  var restraints: [String: Int] { state.withLock { $0.growth.restraints } }

  /// Returns the number of jobs that have given back their slots since the last call.
  func takeEnded() -> Int {
    state.withLock { state in
      defer { state.ended = 0 }
      return state.ended
    }
  }

  /// Adds jobs that wait for a slot. The runner is notified when at most `low` of them are left.
  func add(_ jobs: [ReservedJob], low: Int) {
    state.withLock { state in
      state.reserve += jobs
      state.low = low
      state.lastBegin = SteadyClock.now()
    }
  }

  /// Returns the next job that may start, with its slot.
  func take() -> ReservedJob? { state.withLock { take(&$0) } }

  /// Gives a job a slot, regardless of the limits.
  func occupy(_ origin: String) { state.withLock { occupy(&$0, origin) } }

  /// Frees the slot of a job.
  /// - Parameter isComplete: Whether the job's file is complete.
  func vacate(_ id: JobID, _ origin: String, isComplete: Bool) {
    state.withLock { vacate(&$0, id, origin, isComplete: isComplete) }
  }

  /// Handles the head of a job's answer.
  func answered(_ id: JobID, _ origin: String, size: Int64?, version: String, timings: RequestTimings?) {
    let roundTrip = timings.map { $0.firstByte - max($0.connect, $0.tls ?? 0) }.flatMap { $0 > 0 ? $0 : nil }
    state.withLock { answered(&$0, id, origin, size: size, version: version, roundTrip: roundTrip) }
  }

  /// Handles the failed transfer of a job that has a slot.
  func failed(_ job: Job, _ origin: String, _ failure: Failure, _ outcome: TransferOutcome) {
    let id = job.id
    state.withLock { state in
      state.heard(outcome, of: job)
      guard state.failed.updateValue(origin, forKey: id) == nil else { return }
      let others = state.origins.count(of: origin) - state.failed.values.count { $0 == origin }
      let now = SteadyClock.now()
      state.growth.failed(failure, origin, others: others, now: now)
      state.origins.exceptions = state.growth.exceptions(now: now)
    }
  }

  /// Counts files that wait for their publish.
  func countPublishing(_ change: Int) {
    state.withLock { state in
      state.publishing += change
      // A negative number would disable the limit.
      assert(state.publishing >= 0, "more files left than wait to be published")
    }
  }

  func remove(_ id: JobID) -> ReservedJob? {
    state.withLock { state in
      state.reserve.firstIndex { $0.job.id == id }.map { state.reserve.remove(at: $0) }
    }
  }

  func removeAll() -> [ReservedJob] {
    state.withLock { state in
      defer { state.reserve = [] }
      return state.reserve
    }
  }

  /// Returns the events since the last call.
  func takeNews() -> [SlotNews] {
    state.withLock { state in
      defer { state.news = [] }
      return state.news
    }
  }

  /// Stops assigning slots automatically.
  func shut() { state.withLock { $0.isOpen = false } }

  func reopen() { state.withLock { $0.isOpen = true } }

  func close() { state.withLock { $0.outside = nil } }

  /// Starts a direct job that has a slot.
  func begin(_ job: ReservedJob) {
    let (outside, opens) = state.withLock { ($0.outside, $0.growth.takeOpening(job.origin)) }
    guard let outside else { return }
    let (now, time) = (SteadyClock.now(), WallClock.now())
    if job.isSmall { return begin(outside.make(job, now, time), outside, opensConnection: opens) }
    let transfer = outside.start(job, opens)
    state.withLock { $0.news.append(.began(job, transfer, at: now, time: time)) }
  }

  // MARK: For the loop's thread

  /// Handles the end of a direct job, and starts the next one at once.
  func ended(_ job: ReservedJob, _ outcome: TransferOutcome) {
    // A file that must be checked first keeps its slot until then.
    let isPlain = outcome.cookies == nil && outcome.offered.isEmpty && job.job.specification.isPlain
    let isWhole = if case .whole = outcome.end { isPlain } else { false }
    let (next, streams, outside, isUrgent) = state.withLock { state in
      if case .failed = outcome.end { state.heard(outcome, of: job.job) }
      let isHandedOn = isWhole && state.isOpen
      state.news.append(.ended(job, outcome, isHandedOn: isHandedOn))
      guard isHandedOn else { return ([ReservedJob](), Int?.none, state.outside, true) }
      vacate(&state, job.job.id, job.origin, isComplete: true)
      state.publishing += 1
      var next: [ReservedJob] = []
      // If the number of slots has grown, start several jobs.
      while let one = take(&state, directOnly: true) { next.append(one) }
      return (next, takeStreams(&state), state.outside, state.reserve.count <= state.low)
    }
    if let streams { outside?.limitStreams(streams) }
    for one in next { begin(one) }
    outside?.notify(isUrgent || next.isEmpty)
  }

  // MARK: Counting

  func answered(
    _ state: inout State, _ id: JobID, _ origin: String, size: Int64?, version: String, roundTrip: Double? = nil
  ) {
    guard state.larger[id] == nil else { return }
    let found = state.growth.answered(origin, size: size, isMultiplexed: ResponseHead.isMultiplexed(version))
    if found != .small {
      state.larger[id] = LargerFile(size: found, origin: origin, since: SteadyClock.now(), roundTrip: roundTrip)
    }
  }

  func take(_ state: inout State, directOnly: Bool = false) -> ReservedJob? {
    guard state.isOpen, state.running < state.limit, state.publishing < backlog,
      let index = state.reserve.firstIndex(where: { state.mayStart($0.origin) })
    else { return nil }
    let job = state.reserve[index]
    if directOnly, job.direct == nil { return nil }
    state.reserve.remove(at: index)
    occupy(&state, job.origin)
    return job
  }

  /// Returns the number of streams on a connection if the engine must be told a new number; otherwise `nil`.
  func takeStreams(_ state: inout State) -> Int? {
    let streams = state.growth.streamsPerConnection
    guard streams != state.streams else { return nil }
    state.streams = streams
    return streams
  }

  private func occupy(_ state: inout State, _ origin: String) {
    state.running += 1
    state.origins.add(origin)
    if !state.room.isEmpty { state.room.started(origin, now: WallClock.now()) }
    state.lastBegin = SteadyClock.now()
  }

  /// - Parameter begunAt: The time at which the job's transfer started, if the file is small.
  func vacate(_ state: inout State, _ id: JobID, _ origin: String, isComplete: Bool, begunAt: Double? = nil) {
    state.running -= 1
    state.ended += 1
    state.origins.remove(origin)
    state.failed[id] = nil
    let larger = state.larger.removeValue(forKey: id)
    if isComplete, let served = state.served[origin] { state.served[origin] = served + 1 }
    if !state.room.isEmpty { state.room.left(origin, others: state.unanswered(origin)) }
    let now = SteadyClock.now()
    let mayHaveMore = state.growth.ended(
      origin, larger?.size ?? .small, isComplete: isComplete, pace: larger?.pace(at: now),
      seconds: begunAt.map { now - $0 }, now: now)
    if mayHaveMore {
      state.origins.exceptions = state.growth.exceptions(now: now)
    }
    if state.reserve.isEmpty, state.running < state.growth.limit / 2 { state.growth.starved() }
  }
}
