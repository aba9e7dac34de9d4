// Commands that any process may give to the owner of an active job, and their fate when the owner changes the job's
// state.

/// A command to the owner of an active job.
public enum JobCommand: String, Sendable, CaseIterable {
  /// Stop the job as `paused`.
  case pause
  /// Stop and delete the job.
  case remove
  /// Stop the job, forget its bytes, and queue the job.
  case retry
  /// Stop and queue the job, because its URL has changed.
  case restart
}

/// The fate of a job's pending command when the owner moves the job to another state.
public enum PendingCommandRule: Sendable, Equatable {
  /// The command is dropped, because the move makes it meaningless.
  case drop
  /// The command takes precedence: a job with a pending command is not moved.
  case yield
  /// The move carries out the command. The job is not moved if another command, or none, is now pending.
  case carryOut(JobCommand)
}
