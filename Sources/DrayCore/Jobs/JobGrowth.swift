// How many jobs are transferred at once, where no number is given: as many as help. A pure decision: it is given what ended,
// and when.

/// How many jobs are transferred at once.
///
/// It begins with few. A small file spends most of its time on a round trip, so the number grows, fourfold in each, as long as
/// that brings more; else it falls back to the fewest that brought as much. A large file fills the line by itself: as long as
/// several are under way, nothing is started beyond the few.
///
/// Connections cost a server more than streams do: an origin gets at most ``connections`` jobs, and ``streams`` where its
/// connection carries several (HTTP/2). An origin that refuses some gets as many as it did not refuse. What was found is
/// remembered: a later run begins with as many, and is as careful.
public struct JobGrowth: Sendable {
  /// Jobs at the beginning, and of large files at any time.
  public static let few = 5
  /// Jobs of one origin where each needs a connection.
  public static let connections = 32
  /// Jobs of one origin that shares one connection among them: what libcurl and most servers allow.
  public static let streams = 100
  /// Jobs in all.
  public static let most = 128
  /// Bytes of the largest file that is small.
  public static let small: Int64 = 1 << 20
  /// Seconds for which an origin that refused gets no more than it did not refuse; twice as long each time.
  static let restraint = 30.0
  /// What jobs that were added must bring each, compared with those that were there before.
  private static let worthwhile = 0.1
  /// How many times as many each level has as the one before.
  private static let factor = 4
  /// How many times its number of files a level that was found brings before more are tried again.
  private static let rounds = 20

  /// A number of jobs, and what it brought.
  private struct Level {
    var jobs: Int
    /// Files a second; `nil` until it was measured.
    var rate: Double?
  }

  /// The number that was given: nothing grows then.
  private var fixed: Int?
  private let perOrigin: Int?
  /// What may be open at once.
  private let most: Int
  private var ceiling: Int
  private var current: Int
  private var levels: [Level]
  /// What ended since this level began.
  private var ended = 0
  private var since: Double?
  /// Whether there were too few jobs for this level meanwhile: then it says nothing of the line.
  private var wasStarved = false
  private var isGrowing: Bool
  /// Large files that are being transferred.
  private var large = 0
  private var multiplexed: Set<String> = []
  private var refused: [String: Refusal] = [:]
  /// What former runs found, of origins that have not answered yet.
  private var known: [String: Int]
  /// The one origin of all answers, as long as there is only one: what is found is true of it.
  private var only: String?
  private var isOnly = true
  /// What this run has found: jobs at once, by origin.
  public private(set) var learned: [String: Int] = [:]

  /// How many jobs an origin did not refuse, and until when that holds.
  private struct Refusal {
    var limit: Int
    var until: Double
    var times: Int
  }

  /// - Parameters:
  ///   - jobs: the number of jobs; `nil` for as many as help.
  ///   - perOrigin: the number for one origin; `nil` for as many as help.
  ///   - most: what may be open at once.
  ///   - known: what former runs have ``learned``.
  ///   - now: seconds of a clock that only goes forward.
  public init(
    jobs: Int? = nil, perOrigin: Int? = nil, most: Int = .max, known: [String: Int] = [:], now: Double = 0
  ) {
    (fixed, self.perOrigin, self.most) = (jobs.map { min($0, most) }, perOrigin, most)
    ceiling = max(1, min(jobs ?? JobGrowth.most, most))
    current = min(jobs ?? JobGrowth.few, ceiling)
    levels = [Level(jobs: current)]
    isGrowing = jobs == nil && current < ceiling
    self.known = jobs == nil ? known.filter { $0.value > JobGrowth.few } : [:]
    for (origin, count) in known where count < JobGrowth.few {
      refused[origin] = Refusal(limit: max(1, count), until: now + JobGrowth.restraint, times: 1)
    }
  }

  /// Another number from now on; `nil` for as many as help, which is found out from the beginning. What is known of origins
  /// and of large files stays.
  public mutating func setJobs(_ jobs: Int?) {
    let new = JobGrowth(jobs: jobs, perOrigin: perOrigin, most: most)
    (fixed, ceiling, current, levels) = (new.fixed, new.ceiling, new.current, new.levels)
    (isGrowing, ended, since, wasStarved) = (new.isGrowing, 0, nil, false)
  }

  /// How many jobs there may be.
  public var limit: Int { large < JobGrowth.few || fixed != nil ? current : min(current, JobGrowth.few) }

  /// How many jobs an origin may have.
  public func limit(of origin: String, now: Double) -> Int {
    let usual = multiplexed.contains(origin) ? max(usualLimit, JobGrowth.streams) : usualLimit
    guard let refusal = refused[origin], now < refusal.until else { return usual }
    return min(usual, refusal.limit)
  }

  /// The origins whose limit is not the usual one.
  public func exceptions(now: Double) -> [String: Int] {
    var all: [String: Int] = [:]
    for origin in multiplexed.union(refused.keys) { all[origin] = limit(of: origin, now: now) }
    return all
  }

  /// The limit of an origin of which nothing is known.
  public var usualLimit: Int { perOrigin ?? max(fixed ?? 0, JobGrowth.connections) }

  /// How many more may soon begin: what is claimed of the queue in advance.
  public var ahead: Int { isGrowing && ended > 0 ? current : 0 }

  /// An answer is here: of a file of `size` bytes, `nil` if unknown.
  /// - Returns: whether the file is large; it is reported as that when it ends.
  public mutating func answered(_ origin: String, size: Int64?, isMultiplexed: Bool) -> Bool {
    if isMultiplexed {
      // A set that grows with the origins of a long list would be one more list.
      if multiplexed.count >= 1024 { multiplexed = [] }
      multiplexed.insert(origin)
    }
    isOnly = isOnly && (only ?? origin) == origin
    only = origin
    let isLarge = size ?? .max > JobGrowth.small
    if isLarge { large += 1 } else { resume(origin) }
    return isLarge
  }

  /// Begins where a former run ended, at the first small file of an origin that it learned about.
  private mutating func resume(_ origin: String) {
    guard let count = known.removeValue(forKey: origin), levels.count == 1, count > current else { return }
    current = min(count, ceiling)
    (levels, since, ended, isGrowing) = ([Level(jobs: current)], nil, 0, false)
  }

  /// A job's transfer ended.
  /// - Parameters:
  ///   - isLarge: what ``answered(_:size:isMultiplexed:)`` returned.
  ///   - isComplete: whether its file is here.
  ///   - now: seconds of a clock that only goes forward.
  public mutating func ended(isLarge: Bool, isComplete: Bool, now: Double) {
    if isLarge { large -= 1 }
    guard fixed == nil, isComplete, !isLarge else { return }
    ended += 1
    guard let since else {
      // The first ends say nothing: their connections were opened before.
      self.since = now
      ended = 0
      if isGrowing { grow(now) }
      return
    }
    guard ended >= (isGrowing ? current : current * JobGrowth.rounds) else { return }
    if !wasStarved { judge(rate: Double(ended) / max(now - since, 1e-6), now) }
    (self.since, ended, wasStarved) = (now, 0, false)
  }

  /// Half of the slots or more are free, and no job waits for one: what is measured now is not what the line gives.
  public mutating func starved() { wasStarved = true }

  /// A job failed while `others` of its origin continue: if the origin refused it (429, 503), or has no room for its
  /// connection (refused, reset), it gets no more than those.
  public mutating func failed(_ failure: Failure, _ origin: String, others: Int, now: Double) {
    let least: Int
    switch (failure.httpStatus, failure.kind) {
    case (429?, _), (503?, _): least = 1
    // A line that is down fails all of them. Fewer than at the beginning are enough to be polite.
    case (nil, .network) where failure.recovery == .retry: least = JobGrowth.few - 1
    default: return
    }
    if refused.count >= 1024 { refused = [:] }
    var refusal = refused[origin] ?? Refusal(limit: .max, until: 0, times: 0)
    if now >= refusal.until {
      refusal.limit = .max
      refusal.times += 1
    }
    refusal.limit = max(least, min(refusal.limit, others))
    learned[origin] = refusal.limit
    refusal.until = now + JobGrowth.restraint * Double(1 << min(refusal.times - 1, 5))
    refused[origin] = refusal
  }

  // MARK: Levels

  private mutating func judge(rate: Double, _ now: Double) {
    guard isGrowing else {
      guard current < ceiling else { return }
      // A line may have become free.
      (levels, isGrowing) = ([Level(jobs: current, rate: rate)], true)
      return grow(now)
    }
    levels[levels.count - 1].rate = rate
    guard let best = levels.max(by: { $0.rate ?? 0 < $1.rate ?? 0 }), levels.count > 1,
      !isWorthwhile(levels[levels.count - 1], after: levels[levels.count - 2], now)
    else { return grow(now) }
    current = levels.first { $0.rate != nil && !isWorthwhile(best, after: $0, now) }?.jobs ?? current
    endGrowth(now)
  }

  /// Whether the jobs that one level has more than another bring enough. Nothing is known of a level that was not measured.
  private func isWorthwhile(_ level: Level, after other: Level, _ now: Double) -> Bool {
    guard let rate = level.rate, let before = other.rate else { return true }
    let more = Double(inUse(level.jobs, now)) / Double(inUse(other.jobs, now)) - 1
    return rate > before * (1 + JobGrowth.worthwhile * max(more, 0))
  }

  /// How many of these jobs there can be: no more than the one origin is given.
  private func inUse(_ jobs: Int, _ now: Double) -> Int {
    guard isOnly, let only else { return jobs }
    return min(jobs, limit(of: only, now: now))
  }

  /// Stays at the level that was found.
  private mutating func endGrowth(_ now: Double) {
    isGrowing = false
    guard isOnly, let only, refused[only] == nil else { return }
    learned[only] = inUse(current, now)
  }

  private mutating func grow(_ now: Double) {
    guard current < ceiling, inUse(current, now) == current else { return endGrowth(now) }
    // Streams cost the server no connection.
    current = min(max(current * JobGrowth.factor, multiplexed.isEmpty ? 0 : JobGrowth.streams), ceiling)
    levels.append(Level(jobs: current))
  }
}
