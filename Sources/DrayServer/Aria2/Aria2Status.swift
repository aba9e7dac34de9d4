// The states that a job has for aria2 (manual, `aria2.tellStatus`, key `status`).

internal import DrayCore

enum Aria2Status: String, Sendable, CaseIterable {
  case active, waiting, paused, error, complete, removed

  /// The lists of jobs that clients request. Each job is in exactly one list.
  enum List: Sendable, CaseIterable {
    case active, waiting, stopped
  }

  /// Creates the status for a job's state in dray.
  ///
  /// An interrupted job with a failure counts as stopped with an error, so that the client decides how to continue. An
  /// interrupted job without a failure waits: its runner has ended, and the next runner continues it.
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
