// Decides which jobs may wait for each other.

internal import DrayCore

enum WaitRule {
  /// Returns whether a wait for the job `other` must be recorded, given its state: not if `other` is already complete.
  /// - Throws: Kind `usage` for a job that is missing or has failed.
  static func needsWait(for other: JobID, in state: JobState?) throws(Failure) -> Bool {
    switch state {
    case nil: throw refusal(other, "no such job to wait for", "\(.list) shows all")
    case .failed?: throw refusal(other, "it has failed", "\(.retry, other) starts it over")
    case .complete?: return false
    case .queued?, .active?, .interrupted?, .paused?: return true
    }
  }

  /// The refusal of a wait for a job that itself waits for `job`, directly or through other jobs.
  static func circle(_ job: JobID, _ other: JobID) -> Failure {
    refusal(job, "it cannot wait for job \(other), which waits for it", "omit \(other)")
  }

  static func hasStarted(_ job: JobID) -> Failure {
    refusal(job, "it has already started, so it cannot wait for others", "omit \(.after)")
  }

  private static func refusal(_ id: JobID, _ reason: String, _ advice: Advice) -> Failure {
    Failure(.usage, "job \(id)", reason, advice: advice)
  }
}
