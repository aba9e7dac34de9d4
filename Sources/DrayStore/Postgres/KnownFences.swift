// The fences of held jobs, as learnt over one connection.

/// Keeps the rule for walks over the held jobs. It must not outlive its connection: a crash, or a change to another
/// server, may undo the newest ends of jobs, which are then held again, and the newest fences may be given again.
final class KnownFences {
  var floor = FenceFloor()

  /// The held jobs, rows of `hot`, as an item after FROM.
  var heldJobs: SQL { floor.heldJobs }
}
