// Where runs keep their books.

/// The actor of what runs keep in memory: which jobs they hold, and what follows when something happened to one. Nothing on it
/// blocks for long.
@globalActor
actor RunActor {
  static let shared = RunActor()
}
