// How an attempt ends that did not bring the whole file: what becomes of its bytes, of its job, and of the jobs that wait for
// it. Pure decisions; the runner carries them out, and so does the fetch to standard output.

/// Why an attempt ends without the whole file.
public enum AttemptEnd: Sendable, Equatable {
  /// The run ends.
  case shutdown
  /// The job's pending command is carried out.
  case command(JobCommand)
  /// The command for which the attempt was cancelled was withdrawn before it was carried out.
  case commandWithdrawn
  /// The target may not be written.
  case refused(Failure)
  /// The attempt failed.
  case failed(Failure)
  /// All bytes are here, and they are not those of the file that was meant.
  case mismatched(Failure, MismatchRemedy?)
  /// A page came in the place of the file, and was given another name.
  case pageInstead(Failure)
  /// Bad blocks were fetched again, and what came is of another version of the file.
  case otherVersion(Failure)
  /// The answer to a request that is not repeated by itself was lost, in this way.
  case answerLost(String)
  /// All bytes are here, and their publishing was begun and could not be finished.
  case publishingCutOff(Failure)
  /// The target exists, and the user wants it to stay.
  case skipped(path: String)
  /// Another process holds the job by now, or has removed it: its files are not this runner's.
  case leaseLost(Failure)
}

/// What can be tried once for a file whose digest is not the expected one.
public enum MismatchRemedy: Sendable, Equatable {
  /// The good pieces are kept, durably; only the others are fetched again.
  case otherPieces
  /// The whole file is fetched again, in one answer of one server.
  case cleanFetch
}

/// What is known of an attempt when it ends.
public struct AttemptFacts: Sendable, Equatable {
  /// Whether the request reached the server.
  public enum Sending: Sendable, Equatable {
    case no, yes, unknown
  }

  /// How far the attempt came.
  public struct Progress: Sendable, Equatable {
    /// Bytes of the file that are on disk and may be resumed.
    public var kept: Int64
    /// The furthest position that this attempt wrote.
    public var reached: Int64
    /// The bytes that its last answer continued from; 0 if the file began again.
    public var continued: Int64

    /// Creates the counts of an attempt.
    public init(kept: Int64, reached: Int64 = 0, continued: Int64 = 0) {
      (self.kept, self.reached, self.continued) = (kept, reached, continued)
    }
  }

  /// The number of the job; `nil` where there is no job.
  public var job: JobID?
  /// The request.
  public var request: TransferRequest
  /// Whether the request reached the server.
  public var sending: Sending
  /// How far the attempt came.
  public var progress: Progress
  /// The memory of the retry policy.
  public var retry: RetryRecord
  /// The retry policy.
  public var policy: RetryPolicy
  /// Whose turn it is, where the job has mirrors.
  public var mirrors: MirrorChoice?
  /// A random number in `0..<1`.
  public var jitter: Double

  /// Collects what is known.
  public init(
    job: JobID?, request: TransferRequest, sending: Sending, progress: Progress, retry: RetryRecord,
    policy: RetryPolicy,
    mirrors: MirrorChoice? = nil, jitter: Double
  ) {
    (self.job, self.request, self.sending, self.progress) = (job, request, sending, progress)
    (self.retry, self.policy, self.mirrors, self.jitter) = (retry, policy, mirrors, jitter)
  }
}

/// What follows the end of an attempt. Its parts are carried out in the order in which they are declared: bytes and store
/// never disagree then, wherever a crash comes in between.
public struct AttemptEnding: Sendable, Equatable {
  /// What becomes of the bytes that are here.
  public enum Bytes: Sendable, Equatable {
    /// Nothing is done: they are recorded as they are, or they may be another's.
    case untouched
    /// The part file is removed.
    case removed
    /// The part file is removed, and its directory is synced: the job will be forgotten.
    case removedDurably
    /// The store gives up its claims, durably, then the part file is removed; and that is reported.
    case startedOver(StartOver)
  }

  /// What is done in the store.
  public enum Move: Sendable, Equatable {
    /// Nothing.
    case none
    /// The attempt ends with the job in this state; for so many seconds, where the server asked for them.
    case end(JobState, Failure?, RetryRecord, wait: Int64? = nil, mayBeRepeated: Bool = true)
    /// The job is queued again, to be begun after so many seconds or at once.
    case requeue(after: Double?, Failure?, RetryRecord)
    /// The job is queued as if it had never begun.
    case renew
    /// The job is forgotten. Whether that ends the wait of the jobs that wait for it; else they fail.
    case remove(isMet: Bool)
    /// The job is interrupted with the intent to publish it, which recovery takes up.
    case interruptPublishing(Failure)
  }

  /// What is recorded of the attempt itself.
  public struct Record: Sendable, Equatable {
    /// One word for how it ended.
    public var outcome: String
    /// The failure that ended it.
    public var failure: Failure?
    /// The position that it came to.
    public var last: Int64?
  }

  /// What is reported.
  public enum Report: Sendable, Equatable {
    case interrupted(Failure?)
    case paused
    case removed
    case failed(Failure)
    case skipped(path: String)
    case retrying(Failure, delay: Double)
  }

  /// Whose turn it is from now on, where the job has mirrors.
  public var mirrors: MirrorChoice?
  /// What becomes of the bytes.
  public var bytes = Bytes.untouched
  /// Seconds for which the server wants nothing to be asked of it, for any job.
  public var originWait: Int64?
  /// What is done in the store.
  public var move = Move.none
  /// What becomes of a pending command at that.
  public var pending = PendingCommandRule.yield
  /// What is recorded of the attempt, with the move.
  public var record: Record?
  /// Whether the body of its request is removed from the state directory.
  public var removesBody = false
  /// What is reported; `nil` for a job that is begun again without a word.
  public var report: Report?
  /// Whether jobs that wait for this one failed with it, which is reported too.
  public var failsDependents = false

  private init() {}
}

extension AttemptEnding {
  /// Whether the bytes that came are to be made durable before it is decided what follows.
  public static func keepsBytes(_ end: AttemptEnd, _ facts: AttemptFacts) -> Bool {
    switch end {
    case .shutdown, .failed: unanswered(end, facts) == nil
    case .command(.pause), .command(.restart): true
    default: false
    }
  }

  /// Decides what follows.
  public init(_ end: AttemptEnd, _ facts: AttemptFacts) {
    self.init()
    mirrors = facts.mirrors
    if let failure = AttemptEnding.unanswered(end, facts) {
      leaveUnanswered(failure, facts)
      return
    }
    switch end {
    case .shutdown:
      become(.interrupted, nil, facts.retry.reaching(facts.progress.kept))
      report = .interrupted(nil)
    case .command(let command):
      carryOut(command, facts)
    case .commandWithdrawn:
      move = .requeue(after: nil, nil, facts.retry)
    case .refused(let failure):
      fail(failure, facts.retry)
    case .failed(let failure):
      decide(failure, facts)
    case .mismatched(let failure, let remedy):
      decide(mismatch: failure, remedy, facts)
    case .pageInstead(let failure):
      decide(mismatch: failure, nil, facts, .pageInstead)
    case .otherVersion(let failure):
      bytes = .startedOver(.changed("damaged blocks that were fetched again differ from the original"))
      move = .requeue(after: nil, nil, facts.retry)
      record = Record(outcome: "restarted", failure: failure)
    case .answerLost(let reason):
      leaveUnanswered(AttemptEnding.notRepeated(reason, .network, facts), facts)
    case .publishingCutOff(let failure):
      move = .interruptPublishing(failure)
      record = Record(outcome: JobState.interrupted.rawValue, failure: failure)
      report = .interrupted(failure)
    case .skipped(let path):
      remove(isMet: true)
      report = .skipped(path: path)
    case .leaseLost(let failure):
      report = .interrupted(failure)
    }
  }

  /// What is said of a request that may have taken effect and was not answered; `nil` where it was not sent, or the answer says
  /// what became of it (P10).
  private static func unanswered(_ end: AttemptEnd, _ facts: AttemptFacts) -> Failure? {
    guard !facts.request.isSafe, facts.sending == .yes else { return nil }
    switch end {
    case .shutdown: return notRepeated("it was stopped before its answer arrived", .network, facts)
    case .failed(let failure) where failure.httpStatus == nil: return notRepeated(failure.reason, failure.kind, facts)
    default: return nil
    }
  }

  private static func notRepeated(_ reason: String, _ kind: Failure.Kind, _ facts: AttemptFacts) -> Failure {
    SubmissionRule.unanswered(
      kind, facts.request.method, subject: facts.request.url.description, reason: reason, job: facts.job)
  }

  /// What follows where an answer was lost that will not be asked for again: what came of it is of no use.
  private mutating func leaveUnanswered(_ failure: Failure, _ facts: AttemptFacts) {
    bytes = .removed
    become(.interrupted, failure, facts.retry, mayBeRepeated: false)
    pending = .drop
    report = .interrupted(failure)
  }

  private mutating func carryOut(_ command: JobCommand, _ facts: AttemptFacts) {
    pending = .carryOut(command)
    switch command {
    case .pause:
      become(.paused, nil, facts.retry.reaching(facts.progress.kept))
      report = .paused
    case .remove:
      remove(isMet: false)
      report = .removed
      failsDependents = true
    case .retry:
      // In this order: once it is queued, another runner may have made its own part file.
      bytes = .removed
      move = .renew
    case .restart:
      move = .requeue(after: nil, nil, RetryRecord())
      record = Record(outcome: "restarted", last: facts.progress.kept)
    }
  }

  /// A failure: another of the job's URLs is asked, or the retry policy decides.
  private mutating func decide(_ failure: Failure, _ facts: AttemptFacts) {
    let failure = facts.job.map(failure.naming) ?? failure
    guard let failure = turn(failure, facts) else {
      move = .requeue(after: nil, failure, facts.retry.reaching(facts.progress.kept))
      record = Record(outcome: "mirror failed", failure: failure, last: facts.progress.kept)
      return
    }
    var retry = facts.retry
    let isSafe = facts.request.isSafe || facts.sending == .no
    let decision = facts.policy.decide(
      failure, record: &retry, kept: facts.progress.kept, reached: facts.progress.reached,
      continued: facts.progress.continued,
      isSafe: isSafe,
      jitter: facts.jitter)
    switch facts.job.map(decision.naming) ?? decision {
    case .retry(let delay):
      originWait = failure.retryAfter.flatMap { $0 > 0 ? $0 : nil }
      move = .requeue(after: delay, failure, retry)
      record = Record(outcome: "retried", failure: failure, last: facts.progress.kept)
      report = .retrying(failure, delay: delay)
    case .giveUp(.failed, let reported):
      fail(reported, retry)
    case .giveUp(_, let reported):
      become(.interrupted, reported, retry, wait: reported.retryAfter)
      report = .interrupted(reported)
    }
  }

  /// A digest or a length that is not the expected one: what can be tried once, then a mirror, else the end.
  private mutating func decide(
    mismatch failure: Failure, _ remedy: MismatchRemedy?, _ facts: AttemptFacts, _ reason: StartOver = .digestMismatch
  ) {
    if remedy == nil, let failure = turn(failure, facts) {
      var alone = facts
      alone.mirrors = nil
      return decide(failure, alone)
    }
    if remedy != .otherPieces { bytes = .startedOver(reason) }
    move = .requeue(after: nil, failure, facts.retry)
    record = Record(outcome: reason == .digestMismatch ? "digest mismatch" : "a page instead", failure: failure)
  }

  /// Makes it the next mirror's turn, if one may do better.
  /// - Returns: the failure for the retry policy; `nil` where another URL is asked at once.
  private mutating func turn(_ failure: Failure, _ facts: AttemptFacts) -> Failure? {
    guard var choice = facts.mirrors else { return failure }
    let isFurther = RetryPolicy.isProgress(
      reached: facts.progress.reached, continued: facts.progress.continued, furthest: facts.retry.furthest)
    defer { mirrors = choice }
    switch choice.after(failure, hasNewGround: isFurther) {
    case .decide(let reported):
      return reported
    case .ask:
      var reported = failure
      reported.reason += "; trying another of its URLs"
      report = .retrying(reported, delay: 0)
      return nil
    }
  }

  private mutating func fail(_ failure: Failure, _ retry: RetryRecord) {
    bytes = .removed
    become(.failed, failure, retry)
    report = .failed(failure)
    failsDependents = true
  }

  private mutating func become(
    _ state: JobState, _ failure: Failure?, _ retry: RetryRecord, wait: Int64? = nil, mayBeRepeated: Bool = true
  ) {
    move = .end(state, failure, retry, wait: wait, mayBeRepeated: mayBeRepeated)
    record = Record(outcome: state.rawValue, failure: failure, last: retry.furthest)
  }

  private mutating func remove(isMet: Bool) {
    bytes = .removedDurably
    move = .remove(isMet: isMet)
    pending = .drop
    removesBody = true
  }
}

extension RetryRecord {
  /// This record, with a position that was reached.
  func reaching(_ position: Int64) -> RetryRecord {
    RetryRecord(used: used, furthest: max(furthest, position))
  }
}
