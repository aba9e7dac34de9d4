// The states of jobs, in aria2's words (manual, `aria2.tellStatus`, key `status`).

internal import DrayCore

/// The state of a job as clients see it.
enum Aria2Status: String, Sendable, CaseIterable {
  case active, waiting, paused, error, complete, removed

  /// The lists that clients ask for: each job is in one of them.
  enum List: Sendable, CaseIterable {
    case active, waiting, stopped
  }

  /// The state of a job.
  ///
  /// An interrupted one has stopped with an error if something went wrong: a client has to decide what follows. If nothing did, its
  /// runner has just gone, and it waits for the next.
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

  /// The list that it is in.
  var list: List {
    switch self {
    case .active: .active
    case .waiting, .paused: .waiting
    case .error, .complete, .removed: .stopped
    }
  }
}
