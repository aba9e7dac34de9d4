// How an attempt without the whole file ended, and the known facts.

/// The reason for the end of an attempt without the whole file.
public enum AttemptEnd: Sendable, Equatable {
  /// The runner ends.
  case shutdown
  /// The job's pending command must be carried out.
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
  /// The target must not be written.
  case refused(Failure)
  /// The complete file replaces another job's file, and that job has not ended yet.
  case targetBusy(Failure)
  /// The attempt failed.
  case failed(Failure)
  /// All bytes are present but are not those of the expected file.
  case mismatched(Failure, MismatchRemedy?)
  /// A web page arrived instead of the file, and got another name.
  case pageInstead(Failure)
  /// Damaged blocks were fetched again, and came from another version of the file.
  case otherVersion(Failure)
  /// All parts are uploaded, but their key was taken in the meantime.
  case uploadNameTaken(Failure)
  /// All parts are uploaded, but the object would replace another one before its digest is known.
  case uploadUnproved(Failure)
  /// All parts are uploaded, but the object store refuses to join them, because it has other parts.
  case partsRefused(Failure)
  /// The answer to a request that must not be repeated was lost, for this reason.
  case answerLost(String)
  /// All bytes are present, but the publish was interrupted.
  case publishingCutOff(Failure)
  /// The target exists and the user wants to keep it.
  case skipped(path: String)
  /// Another runner now owns the job, or it was removed. The files are not this runner's.
  case leaseLost(Failure)
}

/// The remedy to try once if the digest of a file is wrong.
public enum MismatchRemedy: Sendable, Equatable {
  /// Keep the good pieces, durably, and fetch the others again.
  case otherPieces
  /// Fetch the whole file again in a single answer of one server.
  case cleanFetch
}

/// The facts about an attempt at its end.
public struct AttemptFacts: Sendable, Equatable {
  /// Whether the request reached the server.
  public enum Sending: Sendable, Equatable {
    case no, yes, unknown
  }

  /// The progress of the attempt.
  public struct Progress: Sendable, Equatable {
    /// Bytes of the file that are on disk and may be resumed.
    public var kept: Int64
    /// The furthest position that this attempt wrote.
    public var reached: Int64
    /// The number of bytes from which the last answer continued; 0 if the file began again.
    public var continued: Int64

    /// Creates the counts of an attempt.
    public init(kept: Int64, reached: Int64 = 0, continued: Int64 = 0) {
      (self.kept, self.reached, self.continued) = (kept, reached, continued)
    }
  }

  /// The number of the job; `nil` if users do not know it.
  public var job: JobID?
  /// The request.
  public var request: TransferRequest
  /// Whether the request reached the server.
  public var sending: Sending
  /// The progress of the attempt.
  public var progress: Progress
  /// The memory of the retry policy.
  public var retry: RetryRecord
  /// The retry policy.
  public var policy: RetryPolicy
  /// The choice of mirrors, if the job has any.
  public var mirrors: MirrorChoice?
  /// Whether a wait that the server asks for uses up no retry.
  public var waitIsFree = false
  /// A random number in `0..<1`.
  public var jitter: Double

  /// Creates facts.
  public init(
    job: JobID?, request: TransferRequest, sending: Sending, progress: Progress, retry: RetryRecord,
    policy: RetryPolicy,
    mirrors: MirrorChoice? = nil, jitter: Double
  ) {
    (self.job, self.request, self.sending, self.progress) = (job, request, sending, progress)
    (self.retry, self.policy, self.mirrors, self.jitter) = (retry, policy, mirrors, jitter)
  }
}
