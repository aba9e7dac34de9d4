// Where runs keep their state.

/// The actor of the state of runs in memory: which jobs they hold, and what follows an event. Nothing on it blocks.
@globalActor
actor RunActor {
  static let shared = RunActor()
}
