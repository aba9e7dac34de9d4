// What any process may ask the holder of an active job for, and what becomes of it when the holder moves the job.

/// What the holder of an active job is asked for.
public enum JobCommand: String, Sendable, CaseIterable {
  /// Stop it as `paused`.
  case pause
  /// Stop it, and delete it.
  case remove
  /// Stop it, forget what it has, and queue it.
  case retry
  /// Stop it and queue it: its URL has changed.
  case restart
}

/// What becomes of a job's pending command when its holder moves the job to another state.
public enum PendingCommandRule: Sendable, Equatable {
  /// It is dropped: the move makes it meaningless.
  case drop
  /// It comes first: a job with a pending command is not moved.
  case yield
  /// The move carries it out: the job is not moved if this is not its pending command any more.
  case carryOut(JobCommand)
}
