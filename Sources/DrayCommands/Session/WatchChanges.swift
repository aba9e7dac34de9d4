// What happened to a job between two looks at the store, as the events that its runner told. No effects, no clock.

internal import DrayKit

/// A job as it was when it was looked at last.
struct WatchedJob: Equatable {
  var state: JobState
  var attempts: Int
  var hasAnswered: Bool
  var notBefore: Double?

  init(_ summary: JobSummary) {
    state = summary.state
    attempts = summary.attempts
    hasAnswered = summary.finalURL != nil
    notBefore = summary.notBefore
  }

  init(state: JobState, attempts: Int = 0, hasAnswered: Bool = false, notBefore: Double? = nil) {
    (self.state, self.attempts, self.hasAnswered, self.notBefore) = (state, attempts, hasAnswered, notBefore)
  }
}

/// Something that happened to a job, seen from outside.
enum WatchedChange: Equatable {
  case added, queued, started, answered, retrying, interrupted, paused, failed, complete
}

enum WatchChanges {
  /// What happened, in order. Events that came and went between two looks are left out, but not the last.
  /// - Parameter old: `nil` for a job that was not there.
  static func between(_ old: WatchedJob?, _ new: WatchedJob) -> [WatchedChange] {
    var changes: [WatchedChange] = []
    if old == nil { changes.append(.added) }
    let before = old ?? WatchedJob(state: .queued)
    if new.attempts > before.attempts { changes.append(.started) }
    if new.hasAnswered, !before.hasAnswered { changes.append(.answered) }
    guard new.state != before.state || new.attempts > before.attempts else { return changes }
    switch new.state {
    case .active: break
    case .queued:
      let hasTried = before.state == .active || new.attempts > before.attempts
      changes.append(hasTried && new.notBefore != nil ? .retrying : .queued)
    case .interrupted: changes.append(.interrupted)
    case .paused: changes.append(.paused)
    case .failed: changes.append(.failed)
    case .complete: changes.append(.complete)
    }
    return changes
  }
}
