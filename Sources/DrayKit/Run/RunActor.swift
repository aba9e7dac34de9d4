/// Isolates the in-memory state of runs: owned jobs, and the handling of events. Code on this actor must not block.
@globalActor
actor RunActor {
  static let shared = RunActor()
}
