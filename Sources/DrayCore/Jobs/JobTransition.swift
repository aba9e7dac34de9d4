// Derives the events of a job from two readings of its record.

/// The progress of a job, as its record shows it.
package struct JobStatus: Sendable, Equatable {
  /// The state.
  package var state: JobState
  /// The number of attempts.
  package var attempts: Int
  /// Whether a server has answered.
  package var hasAnswered: Bool
  /// The earliest time of the next attempt, in seconds since 1970.
  package var notBefore: Double?
  /// The time at which the job ended, in seconds since 1970.
  package var finishedAt: Double?

  /// Creates the value.
  package init(
    state: JobState, attempts: Int = 0, hasAnswered: Bool = false, notBefore: Double? = nil, finishedAt: Double? = nil
  ) {
    (self.state, self.attempts, self.hasAnswered) = (state, attempts, hasAnswered)
    (self.notBefore, self.finishedAt) = (notBefore, finishedAt)
  }
}

/// An event of a job, as it follows from its record.
package enum JobTransition: Sendable, Equatable {
  /// The job was added.
  case added
  /// The job is queued again.
  case queued
  /// An attempt started.
  case started(attempt: Int)
  /// A server answered.
  case answered
  /// An attempt failed, and the job will be tried again.
  case retrying
  /// The job was stopped with its bytes kept.
  case interrupted
  /// The user paused the job.
  case paused
  /// The job failed permanently.
  case failed
  /// The job is complete.
  case complete

  /// Returns the events between the readings in order: the attempts that started, then the change to the present state.
  /// How each of the earlier attempts ended is recorded only in the job's history.
  /// - Parameter old: The earlier status; `nil` if the job did not exist.
  package static func between(_ old: JobStatus?, _ new: JobStatus) -> [JobTransition] {
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
