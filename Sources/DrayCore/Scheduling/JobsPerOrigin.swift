// The limit on the concurrent jobs of each origin, and how many jobs each origin has. The option `--max-per-host`
// limits connections, and each job needs at least one. The store applies this limit when runners claim jobs, and each
// runner applies it when it starts them.

/// How many jobs each origin has, and the limit on that number. Origins are in their text form (`https://host:443`).
public struct JobsPerOrigin: Sendable, Equatable {
  /// The limit, for all runners together.
  public var limit: Int
  /// How many jobs above the limit may be claimed in advance, if no other runner has jobs of their origin.
  public let ahead: Int
  /// The limits of origins that differ from ``limit``.
  public var exceptions: [String: Int] = [:]
  /// The origins that get no further jobs at present.
  public var closed: Set<String> = []
  private var counts: [String: Int]
  private var shared: Set<String> = []

  /// The value without a limit.
  public static let unlimited = JobsPerOrigin(limit: .max)

  /// Creates a limit.
  /// - Parameter counts: The number of jobs that each origin has.
  public init(limit: Int, ahead: Int = 0, counts: [String: Int] = [:]) {
    (self.limit, self.ahead, self.counts) = (limit, ahead, counts)
  }

  /// Returns how many more jobs `origin` may have.
  public func room(at origin: String) -> Int {
    if closed.contains(origin) { return 0 }
    let isShared = shared.contains(origin)
    // A higher limit for jobs that share a connection holds for one runner only, because other runners need connections
    // of their own.
    let limit = isShared ? min(limit, exceptions[origin] ?? limit) : exceptions[origin] ?? limit
    // If several runners have jobs of the origin, none claims in advance, because they would block each other.
    let most = ahead == 0 || isShared || limit > Int.max - ahead ? limit : limit + ahead
    return most - counts[origin, default: 0]
  }

  /// Returns the number of jobs of `origin`.
  public func count(of origin: String) -> Int { counts[origin, default: 0] }

  /// The origins that may not have a further job.
  public var full: Set<String> { closed.union(counts.keys.lazy.filter { room(at: $0) <= 0 }) }

  /// Counts one more job of an origin if the limit allows it. Returns whether it does.
  public mutating func take(_ origin: String) -> Bool {
    guard room(at: origin) > 0 else { return false }
    add(origin)
    return true
  }

  /// Counts one more job, even beyond the limit.
  public mutating func add(_ origin: String) { counts[origin, default: 0] += 1 }

  /// Counts jobs of `origin` that other runners have.
  public mutating func add(_ count: Int, ofOthersAt origin: String) {
    counts[origin, default: 0] += count
    shared.insert(origin)
  }

  /// Counts one job of `origin` fewer.
  public mutating func remove(_ origin: String) {
    let left = counts[origin, default: 1] - 1
    counts[origin] = left == 0 ? nil : left
  }

  /// Returns the same numbers with `ahead` jobs that may be claimed in advance.
  public func allowing(ahead: Int) -> JobsPerOrigin {
    var jobs = JobsPerOrigin(limit: limit, ahead: ahead, counts: counts)
    jobs.exceptions = exceptions
    return jobs
  }
}
