// The actor of runs.

/// Isolates the in-memory state of runs: the jobs that they hold, and the handling of events. Nothing on it blocks.
@globalActor
actor RunActor {
  static let shared = RunActor()
}
