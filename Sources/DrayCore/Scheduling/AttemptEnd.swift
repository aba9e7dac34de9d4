// How an attempt ended without the whole file, and the facts about it.

/// The reason why an attempt ended without the whole file.
package enum AttemptEnd: Sendable, Equatable {
  /// The runner is about to end.
  case shutdown
  /// The attempt must stop because a command for the job has to be carried out.
  case command(JobCommand)
  /// The attempt was cancelled for a command that was then withdrawn.
  case commandWithdrawn
  /// The job's named queue is closed; the queue opens at this time, in seconds since 1970, if known.
  case queueClosed(String, opening: Double?)
  /// A rule put the job into another named queue, whose limits decide when it continues.
  case queueChanged(String)
  /// The window of the job or of the run is closed; the window opens at this time, in seconds since 1970, if ever.
  case outsideWindow(opening: Double?)
  /// The share of the target does not work on this machine; another machine can transfer the job.
  case shareRefused(Failure)
  /// The job is not permitted to write its target.
  case refused(Failure)
  /// The complete file would replace the file of another job that has not ended yet.
  case targetBusy(Failure)
  /// The attempt failed.
  case failed(Failure)
  /// The link had expired, and the job has a new one from its source. Perhaps it is tried only as a retry.
  case linkRenewed(Failure, isRetry: Bool)
  /// All bytes are present but are not those of the expected file.
  case mismatched(Failure, MismatchRemedy?)
  /// A web page arrived instead of the file, and was stored under another name.
  case pageInstead(Failure)
  /// Damaged blocks were fetched again, but came from another version of the file.
  case otherVersion(Failure)
  /// All parts are uploaded, but by now another object has the key.
  case uploadNameTaken(Failure)
  /// All parts are uploaded, but the object would replace an existing one before its own digest is known.
  case uploadUnproved(Failure)
  /// All parts are uploaded, but the object store refuses to join them, because the parts that it has differ.
  case partsRefused(Failure)
  /// The answer to a request that must not be repeated was lost, for this reason.
  case answerLost(String)
  /// All bytes are present, but the publish was interrupted.
  case publishingCutOff(Failure)
  /// The target exists, and the user wants to keep the existing file.
  case skipped(path: String)
  /// The job was removed, or it belongs to another runner now. In both cases, this runner must not touch the job's
  /// files.
  case leaseLost(Failure)
}

/// A remedy that is tried once after a wrong digest.
package enum MismatchRemedy: Sendable, Equatable {
  /// Keep the good pieces on the disk, and fetch the bad ones again.
  case otherPieces
  /// Fetch the whole file again, in a single answer from one server.
  case cleanFetch
}

/// The facts about an attempt at its end.
package struct AttemptFacts: Sendable, Equatable {
  /// Whether the request reached the server.
  package enum Sending: Sendable, Equatable {
    case no, yes, unknown
  }

  /// How far the attempt got.
  package struct Progress: Sendable, Equatable {
    /// The number of bytes of the file that are on the disk and can be continued.
    package var kept: Int64
    /// The furthest position that this attempt wrote.
    package var reached: Int64
    /// The position from which the last answer continued the file; 0 if the file began again.
    package var continued: Int64

    /// Creates the counts of an attempt.
    package init(kept: Int64, reached: Int64 = 0, continued: Int64 = 0) {
      (self.kept, self.reached, self.continued) = (kept, reached, continued)
    }
  }

  /// The number of the job; `nil` if users do not know it.
  package var job: JobID?
  /// The request.
  package var request: TransferRequest
  /// Whether the request reached the server.
  package var sending: Sending
  /// The progress of the attempt.
  package var progress: Progress
  /// The record of the retry policy.
  package var retry: RetryRecord
  /// The retry policy.
  package var policy: RetryPolicy
  /// The choice of mirrors, if the job has any.
  package var mirrors: MirrorChoice?
  /// Whether a wait that the server asks for uses up no retry.
  package var waitIsFree = false
  /// A random number in `0..<1`.
  package var jitter: Double

  /// Creates the facts about an attempt.
  package init(
    job: JobID?, request: TransferRequest, sending: Sending, progress: Progress, retry: RetryRecord,
    policy: RetryPolicy,
    mirrors: MirrorChoice? = nil, jitter: Double
  ) {
    (self.job, self.request, self.sending, self.progress) = (job, request, sending, progress)
    (self.retry, self.policy, self.mirrors, self.jitter) = (retry, policy, mirrors, jitter)
  }
}
