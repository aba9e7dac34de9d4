// The fences of held jobs, as learnt over one connection.

/// Keeps the rule for walks over the held jobs. It must not outlive its connection: a crash, or a change to another
/// server, may undo the newest ends of jobs, which are then held again, and the newest fences may be given again.
final class KnownFences {
  var floor = FenceFloor()
  /// When all held jobs were walked over last, by a monotonic clock.
  private var wholeAt = -Double.infinity

  /// Seconds between two walks over all held jobs in searches for dead runners.
  private static let wholeInterval = 60.0

  /// The held jobs, rows of `hot`, as an item after FROM.
  var ownedJobs: SQL { floor.ownedJobs }

  /// The held jobs, for a search for dead runners. Once a minute it covers all of them: programs that know only version 1
  /// of the schema give fences without the lock on claiming, so the floor may miss their jobs.
  func ownedJobs(now: Double) -> SQL {
    guard now - wholeAt >= KnownFences.wholeInterval else { return ownedJobs }
    wholeAt = now
    return FenceFloor().ownedJobs
  }
}
