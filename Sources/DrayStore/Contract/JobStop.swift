package import DrayCore

/// The state and record of a job that stops without its file.
package struct JobStop: Sendable {
  /// `failed`, `interrupted` or `paused`.
  package var state: JobState
  /// `nil` if no failure stopped the job.
  package var failure: Failure?
  /// The memory of the retry policy.
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
  /// The time before which the job does not start, in seconds since 1970; `nil` means at once.
  package var notBefore: Double?
  /// The memory of the retry policy.
  package var retry: RetryRecord
  /// `nil` if no failure ended the attempt.
  package var failure: Failure?

  package init(notBefore: Double?, retry: RetryRecord, failure: Failure?) {
    (self.notBefore, self.retry, self.failure) = (notBefore, retry, failure)
  }
}
