/// Keeps the rule for walks over the owned jobs, as learned over one connection. The rule must not outlive the
/// connection. After a crash, or on another server, the newest ends of jobs may be undone, so that the jobs are owned
/// again, and the newest fences may be given again.
final class KnownFences {
  private(set) var floor = FenceFloor()
  /// The highest fence at that time; 0 before the first time.
  private var learntAt: Int64 = 0
  /// The highest fence that a claim over this connection has got.
  private var newest: Int64 = 0
  /// When all owned jobs were last walked over, by a monotonic clock.
  private var wholeAt = -Double.infinity

  /// Seconds between two walks over all owned jobs in searches for dead runners.
  private static let wholeInterval = 60.0

  /// A claim learns the rule again after this many claims of the fleet, if no other claim is in progress then.
  static let interval: Int64 = 1024
  /// After this many, it waits until no other claim is in progress.
  static let longest: Int64 = 4 * interval

  /// How a claim takes the lock on claiming (``FleetSchema/Lock/claiming``).
  enum Lesson {
    /// The claim learns nothing, and shares the lock.
    case none
    /// The claim learns the rule if it can have the lock at once.
    case attempt
    /// The claim waits for the lock.
    case required
  }

  var lesson: Lesson {
    switch newest - learntAt {
    case KnownFences.longest...: .required
    case KnownFences.interval...: .attempt
    default: learntAt == 0 ? .attempt : .none
    }
  }

  /// Records the fences of new claims.
  func saw(_ fences: some Sequence<Int64>) { newest = max(newest, fences.max() ?? 0) }

  /// Learns the rule from a walk over all owned jobs, during which no claim was in progress.
  func learn(held: [Int64], top: Int64) {
    floor = FenceFloor(held: held, top: top)
    (learntAt, newest) = (top, max(newest, top))
  }

  /// The owned jobs (rows of `hot`), as an item after FROM.
  var ownedJobs: SQL { floor.ownedJobs }

  /// The owned jobs, for a search for dead runners. Once a minute, this covers all of them: programs that know only
  /// version 1 of the schema give fences without the lock on claiming, so the floor may miss their jobs.
  func ownedJobs(now: Double) -> SQL {
    guard now - wholeAt >= KnownFences.wholeInterval else { return ownedJobs }
    wholeAt = now
    return FenceFloor().ownedJobs
  }
}
