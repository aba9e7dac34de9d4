// The limit on concurrent jobs of one origin, with the present counts. `--max-per-host` limits connections, and each
// job needs at least one. The store applies the limit when runners claim jobs, and a runner's slots when jobs start.

/// The number of jobs of each origin, and the limit on them. Origins are in their text form (`https://host:443`).
public struct JobsPerOrigin: Sendable, Equatable {
  /// The limit, for all runners together.
  public var limit: Int
  /// The number of jobs above the limit that may be claimed in advance, from origins without jobs of other runners.
  public let ahead: Int
  /// The limits of origins that differ from ``limit``.
  public var exceptions: [String: Int] = [:]
  /// The origins that get no more jobs at present.
  public var closed: Set<String> = []
  private var counts: [String: Int]
  private var shared: Set<String> = []

  /// The value without a limit.
  public static let unlimited = JobsPerOrigin(limit: .max)

  /// Creates a limit.
  /// - Parameter counts: The present numbers of jobs.
  public init(limit: Int, ahead: Int = 0, counts: [String: Int] = [:]) {
    (self.limit, self.ahead, self.counts) = (limit, ahead, counts)
  }

  /// Returns how many more jobs `origin` may have.
  public func room(at origin: String) -> Int {
    if closed.contains(origin) { return 0 }
    let isShared = shared.contains(origin)
    // A limit for many jobs on one connection holds for one runner only, because another runner would need a second
    // connection.
    let limit = isShared ? min(limit, exceptions[origin] ?? limit) : exceptions[origin] ?? limit
    // If other runners also have jobs, no runner claims in advance, because they would block each other.
    let most = ahead == 0 || isShared || limit > Int.max - ahead ? limit : limit + ahead
    return most - counts[origin, default: 0]
  }

  /// Returns the number of jobs of `origin`.
  public func count(of origin: String) -> Int { counts[origin, default: 0] }

  /// The origins without room.
  public var full: Set<String> { closed.union(counts.keys.lazy.filter { room(at: $0) <= 0 }) }

  /// Counts another job if there is room. Returns whether there was.
  public mutating func take(_ origin: String) -> Bool {
    guard room(at: origin) > 0 else { return false }
    add(origin)
    return true
  }

  /// Counts another job, even without room.
  public mutating func add(_ origin: String) { counts[origin, default: 0] += 1 }

  /// Counts other runners' jobs of `origin`.
  public mutating func add(_ count: Int, ofOthersAt origin: String) {
    counts[origin, default: 0] += count
    shared.insert(origin)
  }

  /// Counts one job of `origin` fewer.
  public mutating func remove(_ origin: String) {
    let left = counts[origin, default: 1] - 1
    counts[origin] = left == 0 ? nil : left
  }

  /// Returns the same counts with more jobs that may be claimed in advance.
  public func allowing(ahead: Int) -> JobsPerOrigin {
    var jobs = JobsPerOrigin(limit: limit, ahead: ahead, counts: counts)
    jobs.exceptions = exceptions
    return jobs
  }
}
