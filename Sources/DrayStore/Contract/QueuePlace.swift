public import DrayCore

/// A position in the queue, for new or moved jobs.
public enum QueuePlace: Sendable, Equatable {
  /// Before all waiting jobs.
  case first
  /// Behind all waiting jobs.
  case last
  /// Directly before this job.
  case before(JobID)
  /// Directly after this job.
  case after(JobID)
}
