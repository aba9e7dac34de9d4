#if Postgres

/// Keeps what was learned over one connection about the fences of owned jobs. The object must not outlive the
/// connection. After a crash, or on another server, the newest commits may be lost: jobs that had ended are owned
/// again, and fences may be given a second time.
final class KnownFences {
  private(set) var floor = FenceFloor()
  /// The highest fence when this object last learned; 0 before the first time.
  private var learntAt: Int64 = 0
  /// The highest fence that a claim over this connection has got.
  private var newest: Int64 = 0
  /// The time of the last walk over all owned jobs, by a monotonic clock.
  private var wholeAt = -Double.infinity

  /// The seconds between two such walks in searches for dead runners.
  private static let wholeInterval = 60.0

  /// A claim learns again after this many claims of the fleet, if no other claim is in progress.
  static let interval: Int64 = 1024
  /// After this many claims of the fleet, the next claim waits until no other claim is in progress, and then learns.
  static let longest: Int64 = 4 * interval

  /// The mode in which a claim takes the lock on claiming (``FleetSchema/Lock/claiming``).
  enum Lesson {
    /// The claim learns nothing, and shares the lock with others.
    case none
    /// The claim learns only if it can have the lock exclusively at once.
    case attempt
    /// The claim waits until it has the lock exclusively, and learns.
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

  /// Learns from a walk over all owned jobs during which no claim was in progress.
  func learn(held: [Int64], top: Int64) {
    floor = FenceFloor(held: held, top: top)
    (learntAt, newest) = (top, max(newest, top))
  }

  /// The owned jobs (rows of `hot`), as an item after FROM.
  var ownedJobs: SQL { floor.ownedJobs }

  /// The owned jobs, for a search for dead runners. Once a minute, the result covers all owned jobs. Programs that know
  /// only version 1 of the schema give fences without the lock on claiming, so that their jobs may be below the floor.
  func ownedJobs(now: Double) -> SQL {
    guard now - wholeAt >= KnownFences.wholeInterval else { return ownedJobs }
    wholeAt = now
    return FenceFloor().ownedJobs
  }
}

#endif
