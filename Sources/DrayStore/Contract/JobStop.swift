package import DrayCore

/// The state and the record with which a job stops without its file.
package struct JobStop: Sendable {
  /// The new state: `failed`, `interrupted` or `paused`.
  package var state: JobState
  /// The failure; `nil` if no failure stopped the job.
  package var failure: Failure?
  /// The record of the retry policy.
  package var retry: RetryRecord
  /// The end of a wait that outlasts this run, in seconds since 1970.
  package var notBefore: Double?
  /// Whether a later run may send the request again (P10).
  package var mayBeRepeated: Bool

  package init(
    _ state: JobState, _ failure: Failure? = nil, retry: RetryRecord = RetryRecord(), notBefore: Double? = nil,
    mayBeRepeated: Bool = true
  ) {
    (self.state, self.failure, self.retry) = (state, failure, retry)
    (self.notBefore, self.mayBeRepeated) = (notBefore, mayBeRepeated)
  }
}

/// The record with which a job returns to the queue.
package struct JobRequeue: Sendable {
  /// The earliest time of the next attempt, in seconds since 1970; `nil` means at once.
  package var notBefore: Double?
  /// The record of the retry policy.
  package var retry: RetryRecord
  /// The failure; `nil` if no failure ended the attempt.
  package var failure: Failure?

  package init(notBefore: Double?, retry: RetryRecord, failure: Failure?) {
    (self.notBefore, self.retry, self.failure) = (notBefore, retry, failure)
  }
}
