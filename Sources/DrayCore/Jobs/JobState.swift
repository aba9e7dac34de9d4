// The states of a job, and the moves between them that are legal.

/// The state of a job.
public enum JobState: String, Sendable, Codable, CaseIterable {
  /// The job waits for a runner.
  case queued
  /// A runner transfers the job.
  case active
  /// The file was verified and published.
  case complete
  /// The failure is final, and the part file was removed.
  case failed
  /// The job was stopped; its bytes were kept. A runner continues it.
  case interrupted
  /// The user stopped the job, which then waits until the user resumes it.
  case paused

  /// Whether the job is over: complete or failed.
  public var isFinished: Bool { self == .complete || self == .failed }

  /// The state as a predicate for messages: "is queued", "has failed".
  public var predicate: String { self == .failed ? "has failed" : "is \(rawValue)" }

  /// The states to which the job may move.
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

  /// Whether a move from this state to `next` is legal.
  public func canMove(to next: JobState) -> Bool { successors.contains(next) }
}
