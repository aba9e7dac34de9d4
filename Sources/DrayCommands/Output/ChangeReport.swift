// The report on jobs that were changed.

internal import DrayKit

enum ChangeReport {
  static func lines(_ outcomes: [ChangeOutcome], _ changes: [JobRevision]) -> [String] {
    zip(outcomes, changes).map { outcome, change in
      guard outcome.isChanged else { return "[\(outcome.id)] nothing changed" }
      let directory = TextSafety.escaped(change.specification.place.partPlace.path)
      let part =
        switch outcome.part {
        case .stayed: ""
        case .moved: "; its part file was moved to \(directory)"
        case .adopted: "; its part file was found in \(directory)"
        }
      return "[\(outcome.id)] changed\(part); \(next(change))"
    }
  }

  /// Returns a text that says when the change takes effect, or which command continues the job.
  private static func next(_ change: JobRevision) -> String {
    let job = change.before
    switch job.state {
    // If a job is active, only these settings can be changed.
    case .active:
      let (old, new) = (job.specification, change.specification)
      return old.window != new.window || old.options.rateLimit != new.options.rateLimit
        ? "its transfer follows within two seconds" : "it counts from the next attempt on"
    case .paused: return "`dray resume \(job.id)` continues it"
    case .failed: return "`dray retry \(job.id)` starts it over"
    case .queued: return "`dray run` starts it"
    default: return "`dray run` continues it"
    }
  }
}
