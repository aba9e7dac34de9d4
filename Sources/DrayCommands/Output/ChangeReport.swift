// The report on changed jobs.

internal import DrayKit

enum ChangeReport {
  /// Returns one line per job.
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
      return "[\(outcome.id)] changed\(part); \(next(change.before))"
    }
  }

  /// Returns the command that continues the job.
  private static func next(_ job: Job) -> String {
    switch job.state {
    case .paused: "`dray resume \(job.id)` continues it"
    case .failed: "`dray retry \(job.id)` starts it over"
    case .queued: "`dray run` starts it"
    default: "`dray run` continues it"
    }
  }
}
