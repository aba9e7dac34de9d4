// How a job leaves its holder: complete, to be tried again, or stopped.

public import DrayCore
import GRDB

public import struct Foundation.UUID

/// A job whose part file is whole, checked and synced, and is about to be renamed.
public struct PublishIntent: Sendable {
  /// The job.
  public var id: JobID
  /// The part file as it is now; the target will be the same file.
  public var identity: FileIdentity
  /// The name of the target.
  public var fileName: String
  /// What the file hashes to, where that was computed.
  public var digest: DigestValue?
  /// The last answer, where it is not recorded yet; its validators are of the whole file.
  public var response: ResponseRecord?

  /// Makes an intent.
  public init(
    id: JobID, identity: FileIdentity, fileName: String, digest: DigestValue? = nil,
    response: ResponseRecord? = nil
  ) {
    self.id = id
    self.identity = identity
    self.fileName = fileName
    self.digest = digest
    self.response = response
  }
}

/// A job whose target is published.
public struct Finished: Sendable {
  /// The job.
  public var id: JobID
  /// The target.
  public var published: FileIdentity
  /// Bytes of the file.
  public var received: Int64
  /// The length of the file.
  public var size: Int64?
  /// What is worth knowing: "length unverified".
  public var note: String?
  /// What the file hashes to, where that was computed.
  public var digest: DigestValue?
  /// The try that ended so; `nil` for a publish that was finished for a dead runner.
  public var attempt: Attempt?

  /// Makes the record of a finished job.
  public init(
    id: JobID, published: FileIdentity, received: Int64, size: Int64?, note: String? = nil,
    digest: DigestValue? = nil, attempt: Attempt? = nil
  ) {
    self.id = id
    self.published = published
    self.received = received
    self.size = size
    self.note = note
    self.digest = digest
    self.attempt = attempt
  }
}

extension JobStore {
  /// Records, in one durable transaction, that these part files are about to be renamed: whoever comes after a crash
  /// can tell by ``PublishIntent/identity`` whether they were.
  /// - Returns: the jobs that `runner` holds; no other may be renamed.
  public func beginPublishing(_ batch: [PublishIntent], runner: UUID) throws(Failure) -> Set<JobID> {
    try updateAll(.durable, batch, id: \.id, runner) { intent, row in
      var columns = """
        publishing = \(row.bind(try JSONColumn.text(intent.identity))), file_name = \(row.bind(intent.fileName)),
        digest = ifnull(\(row.bind(intent.digest?.description)), digest)
        """
      if let response = intent.response {
        let validators = response.head.validators
        columns += """
          , response = \(row.bind(try JSONColumn.text(response))), final_url = \(row.bind(response.finalURL.string)),
          etag = \(row.bind(validators.etag)), last_modified = \(row.bind(validators.lastModified)),
          date = \(row.bind(validators.date))
          """
      }
      return columns
    }
  }

  /// Makes jobs complete. Lazy: what is lost with the power is found again by ``publishingJobs(scope:)``.
  /// - Returns: the jobs that `runner` held.
  public func finish(_ batch: [Finished], runner: UUID, now: Double) throws(Failure) -> Set<JobID> {
    try updateAll(.lazy, batch, id: \.id, runner, attempt: \.attempt) { job, row in
      """
      state = 'complete', runner = NULL, command = NULL, publishing = NULL, failure = NULL,
      published = \(row.bind(try JSONColumn.text(job.published))), received = \(row.bind(job.received)),
      segments = \(row.bind(SegmentSet(0..<job.received).description)), size = \(row.bind(job.size)),
      note = \(row.bind(job.note)), digest = ifnull(\(row.bind(job.digest?.description)), digest),
      finished_at = \(row.bind(now))
      """
    }
  }

  /// Queues a job again after a failure that may pass: not to be tried before `notBefore`, in seconds since 1970;
  /// `nil` is at once. Lazy.
  ///
  /// With `unlessAsked`, nothing is done to a job of which somebody wants something: that comes first.
  /// - Returns: whether `runner` held it, and it was done.
  public func requeue(
    _ id: JobID, runner: UUID, notBefore: Double?, now: Double, retry: RetryRecord, failure: Failure?,
    attempt: Attempt?, unlessAsked: Bool = false
  ) throws(Failure) -> Bool {
    try write(.lazy) { db in
      try JobStore.update(db, id, runner, unlessAsked: unlessAsked, attempt: attempt) { row in
        """
        state = 'queued', runner = NULL, command = NULL, publishing = NULL, \(JobStore.wait(notBefore, now, &row)),
        retries_used = \(row.bind(retry.used)), furthest = \(row.bind(retry.furthest)), submitted_at = NULL,
        failure = \(row.bind(try failure.jsonText()))
        """
      }
    }
  }

  /// Stops a job: `failed` (what it had is forgotten, as its part file is gone), `interrupted` or `paused`. Durable.
  ///
  /// Whether its request `mayBeRepeated` by itself decides what a later run does with it (P10).
  /// A `notBefore` is a wait that outlasts this run; without a `note` what was noted before stays. With `failed`, the jobs
  /// that wait for this one fail too (``failedDependents(of:)``). With `unlessAsked`, nothing is done to a job of which
  /// somebody wants something: that comes first.
  /// - Returns: whether `runner` held it, and it was done.
  public func stop(
    _ id: JobID, runner: UUID, state: JobState, failure: Failure?, retry: RetryRecord, note: String? = nil,
    notBefore: Double? = nil, mayBeRepeated: Bool = true, now: Double, attempt: Attempt?, unlessAsked: Bool = false
  ) throws(Failure) -> Bool {
    precondition(JobState.active.canMove(to: state) && state != .complete, "a job does not stop as \(state)")
    return try write(.durable) { db in
      let isDone = try JobStore.update(db, id, runner, unlessAsked: unlessAsked, attempt: attempt) { row in
        """
        state = \(row.bind(state.rawValue)), runner = NULL, command = NULL, publishing = NULL,
        \(JobStore.wait(notBefore, now, &row)),
        retries_used = \(row.bind(retry.used)), furthest = \(row.bind(retry.furthest)),
        failure = \(row.bind(try failure.jsonText())), note = ifnull(\(row.bind(note)), note),
        submitted_at = iif(\(row.bind(mayBeRepeated)), NULL, submitted_at),
        finished_at = \(row.bind(state.isFinished ? now : nil))\(state == .failed ? ", " + JobStore.nothingKept : "")
        """
      }
      if isDone, state == .failed { try Prerequisites.failDependents(db, of: [id], now: now) }
      return isDone
    }
  }

  private static func wait(_ until: Double?, _ now: Double, _ row: inout Arguments) -> String {
    "not_before = \(row.bind(until)), waiting_since = \(row.bind(until == nil ? nil : now))"
  }
}
