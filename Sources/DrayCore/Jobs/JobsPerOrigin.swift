// The limit on jobs that are transferred at once from one origin: the rule, and the counts it needs. `--max-per-host` limits
// connections, and each job needs at least one.
// The store goes by it when it hands out jobs, a runner's slots when they begin them.

/// How many jobs each origin has, and how many more it may have. Origins are in their text form (`https://host:443`).
public struct JobsPerOrigin: Sendable, Equatable {
  /// The limit, for all runners together.
  public var limit: Int
  /// How many more than the limit may be claimed ahead of their turn, from origins that no other runner has jobs of.
  public let ahead: Int
  /// Origins with another limit.
  public var exceptions: [String: Int] = [:]
  private var counts: [String: Int]
  private var shared: Set<String> = []

  /// Without a limit.
  public static let unlimited = JobsPerOrigin(limit: .max)

  /// Makes a limit.
  /// - Parameter counts: the jobs that there are already.
  public init(limit: Int, ahead: Int = 0, counts: [String: Int] = [:]) {
    (self.limit, self.ahead, self.counts) = (limit, ahead, counts)
  }

  /// How many more jobs `origin` may have.
  public func room(at origin: String) -> Int {
    let isShared = shared.contains(origin)
    // A runner that has many jobs on one connection has it to itself: that of another runner would be one more.
    let limit = isShared ? min(limit, exceptions[origin] ?? limit) : exceptions[origin] ?? limit
    // Where others have jobs, too, nobody claims ahead: each would keep the other from beginning.
    let most = ahead == 0 || isShared || limit > Int.max - ahead ? limit : limit + ahead
    return most - counts[origin, default: 0]
  }

  /// How many jobs `origin` has.
  public func count(of origin: String) -> Int { counts[origin, default: 0] }

  /// The origins that have no room.
  public var full: Set<String> { Set(counts.keys.lazy.filter { room(at: $0) <= 0 }) }

  /// Counts one more job of `origin` if there is room.
  /// - Returns: whether there was.
  public mutating func take(_ origin: String) -> Bool {
    guard room(at: origin) > 0 else { return false }
    add(origin)
    return true
  }

  /// Counts one more job of `origin`, room or not.
  public mutating func add(_ origin: String) { counts[origin, default: 0] += 1 }

  /// Counts the jobs of `origin` that other runners have.
  public mutating func add(_ count: Int, ofOthersAt origin: String) {
    counts[origin, default: 0] += count
    shared.insert(origin)
  }

  /// Counts one job of `origin` less.
  public mutating func remove(_ origin: String) {
    let left = counts[origin, default: 1] - 1
    counts[origin] = left == 0 ? nil : left
  }

  /// The same counts with more that may be claimed ahead.
  public func allowing(ahead: Int) -> JobsPerOrigin {
    var jobs = JobsPerOrigin(limit: limit, ahead: ahead, counts: counts)
    jobs.exceptions = exceptions
    return jobs
  }
}
