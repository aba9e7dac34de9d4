// The commands that any process may give to the runner of an active job, and what becomes of a command when the runner
// changes the job's state.

/// A command to the runner of an active job.
package enum JobCommand: String, Sendable, CaseIterable {
  /// Stop the job as `paused`.
  case pause
  /// Stop and delete the job.
  case remove
  /// Stop the job, forget its bytes, and queue the job again.
  case retry
  /// Stop the job and queue it again, because its URL has changed.
  case restart
}

/// What becomes of a job's pending command when the runner moves the job to another state.
package enum PendingCommandRule: Sendable, Equatable {
  /// The command is dropped, because it makes no sense in the new state.
  case drop
  /// The command takes precedence: the job stays in its state while a command is pending.
  case yield
  /// The move to the new state carries out the command. If another command or none is pending at that time, the job
  /// stays in its state.
  case carryOut(JobCommand)
}
