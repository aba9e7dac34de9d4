// What happened to a job between two readings of its record. No effects, no clock.

/// What a job's record says of how far it is.
public struct JobStatus: Sendable, Equatable {
  /// The state.
  public var state: JobState
  /// The number of attempts.
  public var attempts: Int
  /// Whether a server has answered.
  public var hasAnswered: Bool
  /// When it is due, in seconds since 1970.
  public var notBefore: Double?
  /// When it ended, in seconds since 1970.
  public var finishedAt: Double?

  /// Makes a status.
  public init(
    state: JobState, attempts: Int = 0, hasAnswered: Bool = false, notBefore: Double? = nil, finishedAt: Double? = nil
  ) {
    (self.state, self.attempts, self.hasAnswered) = (state, attempts, hasAnswered)
    (self.notBefore, self.finishedAt) = (notBefore, finishedAt)
  }
}

/// Something that happened to a job, as its record shows it.
public enum JobTransition: Sendable, Equatable {
  /// It is new.
  case added
  /// It waits again.
  case queued
  /// An attempt began.
  case started(attempt: Int)
  /// A server answered.
  case answered
  /// An attempt failed and another follows.
  case retrying
  /// It stopped, with its bytes kept.
  case interrupted
  /// It was paused by hand.
  case paused
  /// It failed permanently.
  case failed
  /// It is complete.
  case complete

  /// What happened, in order: every attempt that was begun since, and how the job stands now. How earlier ones of several
  /// attempts ended is in the job's history only.
  /// - Parameter old: `nil` for a job that was not there.
  public static func between(_ old: JobStatus?, _ new: JobStatus) -> [JobTransition] {
    var transitions: [JobTransition] = []
    if old == nil { transitions.append(.added) }
    let before = old ?? JobStatus(state: .queued)
    let hasEndedAgain = before.state.isFinished && new.state.isFinished && new.finishedAt != before.finishedAt
    let hasTried = new.attempts > before.attempts
    if before.state.isFinished, hasTried || hasEndedAgain { transitions.append(.queued) }
    if hasTried {
      for attempt in (before.attempts + 1)...new.attempts { transitions.append(.started(attempt: attempt)) }
    }
    if new.hasAnswered, !before.hasAnswered { transitions.append(.answered) }
    guard new.state != before.state || hasTried || hasEndedAgain else { return transitions }
    switch new.state {
    case .active: break
    case .queued:
      let isRetried = new.notBefore != nil && (before.state == .active || hasTried)
      transitions.append(isRetried ? .retrying : .queued)
    case .interrupted: transitions.append(.interrupted)
    case .paused: transitions.append(.paused)
    case .failed: transitions.append(.failed)
    case .complete: transitions.append(.complete)
    }
    return transitions
  }
}
