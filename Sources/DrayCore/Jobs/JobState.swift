// The states of a job and the moves between them that are legal.

/// The state of a job.
public enum JobState: String, Sendable, Codable, CaseIterable {
  /// Waits for a runner.
  case queued
  /// A runner transfers it.
  case active
  /// Published and checked.
  case complete
  /// Final; its part file was removed.
  case failed
  /// Stopped with its bytes kept; a runner continues it.
  case interrupted
  /// Stopped by the user until it is resumed.
  case paused

  /// Whether nothing more happens automatically or by `dray run`.
  public var isFinished: Bool { self == .complete || self == .failed }

  /// The state as a predicate: "is queued".
  public var predicate: String { self == .failed ? "has failed" : "is \(rawValue)" }

  /// The states that may follow this one.
  public var successors: Set<JobState> {
    switch self {
    case .queued: [.active, .paused, .failed, .interrupted]
    case .active: [.queued, .complete, .failed, .interrupted, .paused]
    case .interrupted: [.queued, .active, .paused, .failed]
    case .paused: [.queued]
    case .failed: [.queued]
    case .complete: [.queued]
    }
  }

  /// Whether a job may move from this state to `next`.
  public func canMove(to next: JobState) -> Bool { successors.contains(next) }
}
