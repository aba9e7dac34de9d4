/// Keeps the rule for walks over the owned jobs, as learned over one connection. The rule must not outlive the
/// connection. After a crash, or on another server, the newest ends of jobs may be undone, so that the jobs are owned
/// again, and the newest fences may be given again.
final class KnownFences {
  var floor = FenceFloor()
  /// When all owned jobs were last walked over, by a monotonic clock.
  private var wholeAt = -Double.infinity

  /// Seconds between two walks over all owned jobs in searches for dead runners.
  private static let wholeInterval = 60.0

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
