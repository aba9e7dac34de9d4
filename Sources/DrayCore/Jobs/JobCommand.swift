// The commands that any process may give to the holder of an active job, and their fate when the holder moves the job.

/// A command to the holder of an active job.
public enum JobCommand: String, Sendable, CaseIterable {
  /// Stop the job as `paused`.
  case pause
  /// Stop the job and delete it.
  case remove
  /// Stop the job, forget its bytes, and queue it.
  case retry
  /// Stop the job and queue it, because its URL has changed.
  case restart
}

/// The fate of a job's pending command when its holder moves the job to another state.
public enum PendingCommandRule: Sendable, Equatable {
  /// The command is dropped, because the move makes it meaningless.
  case drop
  /// The command takes precedence: a job with a pending command is not moved.
  case yield
  /// The move carries out the command. The job is not moved if this is no longer its pending command.
  case carryOut(JobCommand)
}
