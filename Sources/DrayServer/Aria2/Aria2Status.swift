// The states of jobs in aria2's terms (manual, `aria2.tellStatus`, key `status`).

internal import DrayCore

enum Aria2Status: String, Sendable, CaseIterable {
  case active, waiting, paused, error, complete, removed

  /// The lists that clients request. Each job is in one of them.
  enum List: Sendable, CaseIterable {
    case active, waiting, stopped
  }

  /// Creates the state of a job.
  ///
  /// An interrupted job with a failure has stopped with an error, so that the client decides what follows. Without a
  /// failure its runner has ended, and the job waits for the next one.
  init(_ state: JobState, hasFailed: Bool) {
    self =
      switch state {
      case .active: .active
      case .queued: .waiting
      case .paused: .paused
      case .interrupted: hasFailed ? .error : .waiting
      case .failed: .error
      case .complete: .complete
      }
  }

  var list: List {
    switch self {
    case .active: .active
    case .waiting, .paused: .waiting
    case .error, .complete, .removed: .stopped
    }
  }
}
