// Decides how many jobs are transferred at once if the user gives no number: as many as help. The decision depends only
// on which jobs ended, and when.

/// The number of jobs that are transferred at once.
///
/// The number starts small, and larger if many jobs wait. A small file spends most of its time on a round trip. The
/// first files of a long list show how many files the line completes in one round trip, and as many jobs follow, two
/// for each end, so that the packets of new connections do not arrive together. Then, and from the start of a short
/// list, the number grows in levels, as long as each level brings a higher rate. After that, it falls back to the
/// fewest jobs with the same rate. A large file fills the line alone: while several large files are in progress, only the few
/// initial jobs run. Files of a middle length get more slots once one of them took long, because the server limits each
/// connection, packets are lost, or the line is full. On a full line, more jobs do no harm.
///
/// Connections cost a server more than streams. An origin therefore gets at most ``connections`` jobs, or ``streams``
/// if its connection carries several (HTTP/2). On a line that loses packets, one connection is slow however many
/// streams it carries, so the streams are spread over more connections, by the same rule; for a long list as soon as the
/// first file shows that ``ConnectionOpening`` pays. An origin that refuses some
/// jobs gets, for some time, as many as it did not refuse. A refusal while no other job runs does not show a number;
/// the origin then gets one job, and more as files complete. A later run starts with the result, unless a number is
/// given.
package struct JobGrowth: Sendable {
  /// The initial number of jobs, and the maximum while large files are in progress.
  package static let few = 5
  /// The initial number for a long list.
  package static let many = 16
  /// The number of waiting jobs that make a list long.
  package static let long = 100
  /// The maximum number of jobs of an origin if each needs a connection.
  package static let connections = 64
  /// The maximum number of jobs of an origin whose jobs share a connection. It equals the limit of libcurl and of most
  /// servers.
  package static let streams = 100
  /// The maximum number of connections to an origin if they carry streams.
  package static let streamConnections = 16
  /// The maximum number of jobs in total.
  package static let most = 128
  /// The maximum length of a small file in bytes.
  package static let small: Int64 = 1 << 20
  /// The maximum number of files of a middle length that are transferred at once.
  package static let slow = few * wideStep
  /// The maximum length of a file of a middle length in bytes.
  package static let middle: Int64 = 16 << 20
  /// The seconds for which an origin that refused a job is limited to the number that it accepted. Each further refusal
  /// doubles them.
  static let restraint = 30.0
  /// The gain that each added job must bring, as a fraction of an earlier job's.
  static let worthwhile = 0.1
  /// The ratio of the second level's jobs to the initial ones, and of one level's connections for streams to the level
  /// before.
  static let wideStep = 4
  /// The ratio of a later level's jobs to those of the previous level.
  static let step = 2
  /// After this many files per job, a settled number is tested again.
  private static let rounds = 20

  struct Level {
    var jobs: Int
    /// The number of connections that carry the streams of the jobs.
    var carriers = 1
    /// The number of files per second; `nil` before it is measured.
    var rate: Double?
  }

  /// The number that the user gave; `nil` if it is found by trying.
  private(set) var fixed: Int?
  let perOrigin: Int?
  /// The maximum number of jobs that can be open at once.
  private let most: Int
  private(set) var ceiling: Int
  var current: Int
  var levels: [Level]
  /// The number of jobs that waited at the start.
  var expected = 0
  /// Of the last answer that had a small file.
  var lastSize: Int64 = 0
  /// The seconds of the fastest small file, from its start to its end.
  var shortest: Double?
  /// The number of jobs to which each end brings `current` nearer.
  var target: Int?
  /// Jobs that ended since the measurement of this level began.
  var ended = 0
  /// Jobs that were in progress when this level started. Their ends do not measure it.
  var older = 0
  /// Connections over which the streams of the only origin are spread.
  var carriers = 1
  /// Connections that have not been opened, of ``carriers``.
  var unopened = 0
  var since: Double?
  /// Whether there were too few jobs for this level at some time. The measured rate is then not used.
  private var wasStarved = false
  var isGrowing: Bool
  /// Large files, and files of a middle length, being transferred.
  private var (large, middle) = (0, 0)
  /// The maximum number of jobs while several files of a middle length are in progress.
  private var middleLimit = JobGrowth.few
  var multiplexed: Set<String> = []
  var refused: [String: Refusal] = [:]
  /// Results of former runs, for origins that have not answered yet.
  private var known: [String: Int]
  /// The origin of the last answer. The result applies to this origin if no other one has answered (`isOnly`).
  var only: String?
  var isOnly = true
  /// The results of this run: the number of jobs at once, by origin.
  package internal(set) var learned: [String: Int] = [:]

  /// The number of jobs that an origin accepted, which is its limit for some time.
  struct Refusal {
    /// `.max` once the time is over.
    var limit: Int
    var until: Double
    var times: Int
    /// Whether other jobs of the origin continued when it refused one. If so, their number is what the origin accepts.
    var isMeasured = false
    /// Whether later runs start with this limit.
    var isRemembered = false
    /// The number of files completed under this limit.
    var completed = 0
  }

  /// - Parameters:
  ///   - jobs: The number of jobs; `nil` for as many as help.
  ///   - perOrigin: The number of jobs per origin; `nil` for as many as help.
  ///   - most: The maximum number of jobs that can be open at once.
  ///   - known: The results (``learned``) of former runs. Those that come from refusals do not count if the user gives
  ///     a number.
  ///   - now: The time of a monotonic clock in seconds.
  package init(
    jobs: Int? = nil, perOrigin: Int? = nil, most: Int = .max, known: [String: Int] = [:], now: Double = 0
  ) {
    (fixed, self.perOrigin, self.most) = (jobs.map { min($0, most) }, perOrigin, most)
    ceiling = max(1, min(jobs ?? JobGrowth.most, most))
    current = min(jobs ?? JobGrowth.few, ceiling)
    levels = [Level(jobs: current)]
    isGrowing = jobs == nil && current < ceiling
    self.known = jobs == nil ? known.filter { $0.value > JobGrowth.few } : [:]
    for (origin, count) in known where count < JobGrowth.few {
      if jobs != nil || perOrigin != nil {
        // A number from the user takes precedence over the result of an earlier run.
        learned[origin] = JobGrowth.few
      } else {
        refused[origin] = Refusal(
          limit: max(1, count), until: now + JobGrowth.restraint, times: 1, isMeasured: count > 1, isRemembered: true)
      }
    }
  }

  /// Changes the number of jobs. With `nil` it becomes as many as help, and is measured again. What is known about
  /// origins and about large files stays.
  package mutating func setJobs(_ jobs: Int?) {
    let new = JobGrowth(jobs: jobs, perOrigin: perOrigin, most: most)
    (fixed, ceiling, current, levels) = (new.fixed, new.ceiling, new.current, new.levels)
    (isGrowing, ended, older, since, wasStarved) = (new.isGrowing, 0, 0, nil, false)
    target = nil
    middleLimit = JobGrowth.few
    spread(over: 1)
  }

  /// Records, before the first job starts, how many jobs wait.
  package mutating func expect(_ jobs: Int) {
    expected = jobs
    guard jobs >= JobGrowth.long, fixed == nil, since == nil, ended == 0, levels.count == 1 else { return }
    current = min(max(current, JobGrowth.many), ceiling)
    levels = [Level(jobs: current)]
  }

  /// The maximum number of jobs.
  package var limit: Int {
    if fixed != nil || large + middle == 0 { return current }
    let few = min(current, JobGrowth.few)
    if large >= JobGrowth.few { return few }
    // A job that has no answer yet may turn out to have a large file.
    let most = middle > 0 ? min(middleLimit, JobGrowth.few + middle, ceiling) : few
    return max(most, large + middle < JobGrowth.few ? current : few)
  }

  /// Returns the maximum number of jobs of an origin.
  package func limit(of origin: String, now: Double) -> Int {
    let usual = multiplexed.contains(origin) ? max(usualLimit, JobGrowth.streams) : usualLimit
    guard let refusal = refused[origin], now < refusal.until else { return usual }
    return min(usual, refusal.limit)
  }

  /// Returns the limits of all origins whose limit differs from the usual one.
  package func exceptions(now: Double) -> [String: Int] {
    var all: [String: Int] = [:]
    for origin in multiplexed.union(refused.keys) { all[origin] = limit(of: origin, now: now) }
    return all
  }

  /// The limits of origins that refused a job a short time ago. An origin whose limit was lifted has the value ``few``.
  package var restraints: [String: Int] {
    let limits = refused.filter { $0.value.limit < JobGrowth.few }.mapValues(\.limit)
    return learned.filter { $0.value <= JobGrowth.few }.merging(limits) { $1 }
  }

  /// The limit of an origin about which nothing is known.
  package var usualLimit: Int { perOrigin ?? max(fixed ?? 0, JobGrowth.connections) }

  /// The number of jobs that may soon start, and are therefore claimed in advance.
  package var ahead: Int { isGrowing && ended > 0 ? current : 0 }

  /// The number of streams after which a connection counts as full.
  package var streamsPerConnection: Int { (JobGrowth.streams + carriers - 1) / carriers }

  /// Returns whether the next job of an origin opens a new connection, although open ones have room for its stream.
  package mutating func takeOpening(_ origin: String) -> Bool {
    guard unopened > 0, only == origin else { return false }
    unopened -= 1
    return true
  }

  /// Records an answer about a file of `size` bytes; `nil` if the size is unknown.
  /// - Returns: The class of the file's length, for ``ended(_:_:isComplete:pace:seconds:now:)``.
  package mutating func answered(_ origin: String, size: Int64?, isMultiplexed: Bool) -> SizeClass {
    if isMultiplexed {
      // The set is limited, because a long list may have many origins.
      if multiplexed.count >= 1024 { multiplexed = [] }
      multiplexed.insert(origin)
    }
    isOnly = isOnly && (only ?? origin) == origin
    only = origin
    if !isOnly { spread(over: 1) }
    switch size ?? .max {
    case ...JobGrowth.small:
      lastSize = size ?? 0
      resume(origin)
      return .small
    case ...JobGrowth.middle:
      middle += 1
      return .middle
    default:
      large += 1
      return .large
    }
  }

  /// When an origin's first small file is seen, starts with the number that a former run found.
  private mutating func resume(_ origin: String) {
    guard let count = known.removeValue(forKey: origin), levels.count == 1, count > current else { return }
    current = min(count, ceiling)
    // The store does not keep the number of connections over which streams ran, so measure again.
    (levels, since, ended, isGrowing) = ([Level(jobs: current)], nil, 0, multiplexed.contains(origin))
  }

  /// Records the end of a job's transfer.
  /// - Returns: Whether the origin may have more jobs now.
  /// - Parameters:
  ///   - size: The result of ``answered(_:size:isMultiplexed:)``; small without an answer.
  ///   - isComplete: Whether the whole file is present.
  ///   - pace: The duration; `nil` if unknown, or if a limit of the user decided it.
  ///   - seconds: From the start of a small file to its end; `nil` if unknown.
  ///   - now: Seconds of a monotonic clock.
  @discardableResult
  package mutating func ended(
    _ origin: String, _ size: SizeClass, isComplete: Bool, pace: FilePace? = nil, seconds: Double? = nil,
    now: Double
  ) -> Bool {
    switch size {
    case .small:
      if fixed == nil, isComplete {
        if let seconds { shortest = min(shortest ?? seconds, seconds) }
        countSmall(now)
      }
    case .middle:
      middle -= 1
      if isComplete, pace?.isLong ?? false { middleLimit = JobGrowth.slow }
    case .large: large -= 1
    }
    return isComplete && recover(origin, now)
  }

  private mutating func countSmall(_ now: Double) {
    ended += 1
    guard let since else {
      // The first ends only start the measurement, because their connections were already open.
      self.since = now
      ended = 0
      if isGrowing, current <= JobGrowth.few { grow(now) } else { openStreams(now) }
      return
    }
    if approach(now) { return }
    guard older == 0 else {
      if ended >= older { (self.since, ended, older, wasStarved) = (now, 0, 0, false) }
      return
    }
    guard ended >= (isGrowing ? current : current * JobGrowth.rounds) else { return }
    if !wasStarved { judge(rate: Double(ended) / max(now - since, 1e-6), now) }
    (self.since, ended, wasStarved) = (now, 0, false)
  }

  /// Records that at least half of the slots are free and no job waits. In that case the present measurement does not
  /// show the rate of the line.
  package mutating func starved() { wasStarved = true }

  /// Records that a job failed while `others` jobs of its origin continue. If the origin refused the job (429, 503) or
  /// the connection (refused, reset), `others` becomes the limit of the origin.
  package mutating func failed(_ failure: Failure, _ origin: String, others: Int, now: Double) {
    let least: Int
    switch (failure.httpStatus, failure.kind) {
    case (429?, _), (503?, _): least = 1
    // If the line is down, all jobs fail at once, which proves nothing. It is polite enough to limit the origin to just
    // below the initial number.
    case (nil, .network) where failure.recovery == .retry: least = JobGrowth.few - 1
    default: return
    }
    if refused.count >= 1024 { refused = [:] }
    var refusal = refused[origin] ?? Refusal(limit: .max, until: 0, times: 0)
    if now >= refusal.until {
      (refusal.limit, refusal.isMeasured) = (.max, false)
      refusal.times += 1
    }
    refusal.limit = max(least, min(refusal.limit, others))
    refusal.completed = 0
    if others > 0 {
      (refusal.isMeasured, refusal.isRemembered) = (true, true)
      learned[origin] = refusal.limit
    } else if learned[origin] == nil {
      learned[origin] = JobGrowth.few
    }
    if only == origin { spread(over: 1) }
    refusal.until = now + JobGrowth.restraint * Double(1 << min(refusal.times - 1, 5))
    refused[origin] = refusal
  }

  /// Ends the limits whose time is over.
  /// - Returns: Whether any origin may have more jobs now.
  package mutating func lapse(now: Double) -> Bool {
    var hasLapsed = false
    for (origin, refusal) in refused where refusal.limit != .max && now >= refusal.until {
      lift(origin)
      hasLapsed = true
    }
    return hasLapsed
  }

  /// Ends the limit of an origin, for this run and later ones.
  private mutating func lift(_ origin: String) {
    guard var refusal = refused[origin] else { return }
    if refusal.isRemembered { learned[origin] = JobGrowth.few }
    (refusal.limit, refusal.isRemembered) = (.max, false)
    refused[origin] = refusal
  }

  /// Records that a file is complete. If a limit was not measured by a refusal, it is raised by the step of small files
  /// once as many files as the limit are complete.
  private mutating func recover(_ origin: String, _ now: Double) -> Bool {
    guard var refusal = refused[origin], refusal.limit != .max, !refusal.isMeasured || now >= refusal.until else {
      return false
    }
    refusal.completed += 1
    guard refusal.completed >= refusal.limit else {
      refused[origin] = refusal
      return false
    }
    (refusal.limit, refusal.completed) = (refusal.limit * JobGrowth.step, 0)
    refused[origin] = refusal
    if refusal.limit >= JobGrowth.few || now >= refusal.until { lift(origin) }
    return true
  }
}
