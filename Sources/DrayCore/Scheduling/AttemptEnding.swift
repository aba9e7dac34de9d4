// Decides on the consequences of an attempt without the whole file: for its bytes, its job, and the jobs that wait for
// this one. The runner carries out the decision.

/// The consequences of an attempt's end. The runner carries out the parts in the order of their declaration, so that
/// the bytes and the store still agree after a crash in between.
package struct AttemptEnding: Sendable, Equatable {
  /// What to do with the received bytes.
  package enum Bytes: Sendable, Equatable {
    /// Leave them: they are recorded, or may now belong to another runner.
    case untouched
    /// Remove the part file.
    case removed
    /// Remove the part file and sync its directory, because no record of the job will be left.
    case removedDurably
    /// Remove the checkpoint from the store so that a crash cannot bring it back, and then remove the part file. The
    /// user is told that the job starts over.
    case startedOver(StartOver)
  }

  /// How the store changes.
  package enum Move: Sendable, Equatable {
    /// The store is not changed.
    case none
    /// The attempt ends with the job in this state. `wait` is the delay in seconds that the server asked for.
    case end(JobState, Failure?, RetryRecord, wait: Int64? = nil, mayBeRepeated: Bool = true)
    /// The job is queued again, to start after a delay in seconds, or at once.
    case requeue(after: Double?, Failure?, RetryRecord)
    /// The job is queued again, and the attempt does not count.
    case giveBack
    /// The job is queued as if it had never started.
    case renew
    /// The job is removed. `isMet` says whether jobs that depend on this one may start; if not, they fail.
    case remove(isMet: Bool)
    /// The job is interrupted; recovery completes the publish that its record announces.
    case interruptPublishing(Failure)
  }

  /// The record of the attempt.
  package struct Record: Sendable, Equatable {
    /// The outcome in one word.
    package var outcome: String
    /// The failure that ended the attempt.
    package var failure: Failure?
    /// The position that the attempt reached.
    package var last: Int64?
  }

  /// The event to report.
  package enum Report: Sendable, Equatable {
    case interrupted(Failure?)
    case paused
    case removed
    case failed(Failure)
    case skipped(path: String)
    case retrying(Failure, delay: Double)
    case waiting(until: Double?, queue: String? = nil, share: String? = nil)
  }

  /// The choice of mirrors, if the job has any.
  package var mirrors: MirrorChoice?
  /// What to do with the received bytes.
  package var bytes = Bytes.untouched
  /// The seconds for which the server wants no requests from any job.
  package var originWait: Int64?
  /// How the store changes.
  package var move = Move.none
  /// What becomes of a pending command.
  package var pending = PendingCommandRule.yield
  /// The record of the attempt, which is stored together with `move`.
  package var record: Record?
  /// Whether to remove the request's body from the state directory.
  package var removesBody = false
  /// The event to report; `nil` if the job starts again silently.
  package var report: Report?
  /// Whether the jobs that depend on this one fail as well. Each such failure is reported.
  package var failsDependents = false

  private init() {}
}

extension AttemptEnding {
  /// Whether the received bytes must be on the disk before the decision is made.
  package static func keepsBytes(_ end: AttemptEnd, _ facts: AttemptFacts) -> Bool {
    switch end {
    case .shutdown, .failed, .queueClosed, .queueChanged, .outsideWindow, .shareRefused, .targetBusy:
      unanswered(end, facts) == nil
    case .command(.pause), .command(.restart): true
    default: false
    }
  }

  /// Decides what follows from this end.
  package init(_ end: AttemptEnd, _ facts: AttemptFacts) {
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
    // The job needs no start time: the store knows the job's window, and the runner that of the run.
    case .outsideWindow(let opening): giveBack("window closed", .waiting(until: opening), facts)
    case .commandWithdrawn:
      move = .requeue(after: nil, nil, facts.retry)
    case .queueClosed(let queue, let opening):
      giveBack("queue closed", .waiting(until: opening, queue: queue), facts)
    case .queueChanged(let queue): giveBack("moved to queue \(queue)", nil, facts)
    // The runner reports a broken share once for all jobs on it.
    case .shareRefused(let failure):
      move = .giveBack
      report = .waiting(until: nil, share: failure.subject)
    case .refused(let failure):
      fail(failure, facts.retry)
    case .targetBusy(let failure) where !facts.request.isSafe: fail(failure, facts.retry)
    case .targetBusy(let failure):
      // Usually all bytes are here, so the next attempt only has to ask the job store for the name again.
      let delay = (facts.progress.kept > 0 ? 1 : 5) + facts.jitter
      move = .requeue(after: delay, failure, facts.retry.reaching(facts.progress.kept))
      record = Record(outcome: "waits for its name", failure: failure, last: facts.progress.kept)
      report = .retrying(failure, delay: delay)
    case .failed(let failure):
      decide(failure, facts)
    case .linkRenewed(var failure, isRetry: true):
      var alone = facts
      (alone.mirrors, failure.recovery) = (nil, .retry)
      mirrors = nil
      decide(failure, alone)
    case .linkRenewed(let failure, isRetry: false):
      // The choice among the old URLs means nothing any more.
      mirrors = nil
      move = .requeue(after: nil, nil, facts.retry.reaching(facts.progress.kept))
      record = Record(outcome: "link renewed", failure: failure, last: facts.progress.kept)
    case .mismatched(let failure, let remedy):
      decide(mismatch: failure, remedy, facts)
    case .pageInstead(let failure):
      decide(mismatch: failure, nil, facts, .pageInstead)
    case .otherVersion(let failure):
      bytes = .startedOver(.changed("damaged blocks that were fetched again differ from the original"))
      move = .requeue(after: nil, nil, facts.retry)
      record = Record(outcome: "restarted", failure: failure)
    case .uploadNameTaken(let failure):
      decide(failure, facts)
      if bytes == .untouched { bytes = .startedOver(.uploadNameTaken) }
    case .uploadUnproved(let failure): uploadAgain(.uploadUnproved, failure, facts)
    case .partsRefused(let failure): uploadAgain(.uploadLost, failure, facts)
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

  /// Puts the job back into its queue at once.
  private mutating func giveBack(_ outcome: String, _ report: Report?, _ facts: AttemptFacts) {
    move = .requeue(after: nil, nil, facts.retry.reaching(facts.progress.kept))
    record = Record(outcome: outcome, last: facts.progress.kept)
    self.report = report
  }

  /// Returns the failure of a request that may have taken effect without an answer; `nil` if the request was not sent,
  /// or if an answer shows its effect (P10).
  private static func unanswered(_ end: AttemptEnd, _ facts: AttemptFacts) -> Failure? {
    guard !facts.request.isSafe, facts.sending == .yes else { return nil }
    switch end {
    case .shutdown, .queueClosed, .queueChanged, .outsideWindow, .shareRefused:
      return notRepeated("it was stopped before its answer arrived", .network, facts)
    case .failed(let failure) where failure.httpStatus == nil: return notRepeated(failure.reason, failure.kind, facts)
    default: return nil
    }
  }

  private static func notRepeated(_ reason: String, _ kind: Failure.Kind, _ facts: AttemptFacts) -> Failure {
    SubmissionRule.unanswered(
      kind, facts.request.method, subject: facts.request.url.description, reason: reason, job: facts.job)
  }

  /// The answer is lost, and since the request is not repeated, its bytes are useless.
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
      // The bytes are removed before the job is queued, because afterwards another runner may create the part file.
      bytes = .removed
      move = .renew
    case .restart:
      move = .requeue(after: nil, nil, RetryRecord())
      record = Record(outcome: "restarted", last: facts.progress.kept)
    }
  }

  /// Decides between another of the job's URLs and the retry policy.
  private mutating func decide(_ failure: Failure, _ facts: AttemptFacts) {
    let failure = AttemptEnding.told(failure, facts)
    guard let failure = turn(failure, facts) else {
      move = .requeue(after: nil, failure, facts.retry.reaching(facts.progress.kept))
      record = Record(outcome: "mirror failed", failure: failure, last: facts.progress.kept)
      return
    }
    if failure.recovery == .retry { originWait = failure.retryAfter.flatMap { $0 > 0 ? $0 : nil } }
    var retry = facts.retry
    let isSafe = facts.request.isSafe || facts.sending == .no
    let decision = facts.policy.decide(
      failure, record: &retry, facts.progress, isSafe: isSafe, waitIsFree: facts.waitIsFree, jitter: facts.jitter)
    switch facts.job.map(decision.naming) ?? decision {
    case .retry(let delay):
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

  /// Adds the job's facts to a failure: its number, its user, its bytes on the disk.
  private static func told(_ failure: Failure, _ facts: AttemptFacts) -> Failure {
    let told = StatusRule.told(failure, request: facts.request, kept: facts.job == nil ? 0 : facts.progress.kept)
    return facts.job.map(told.naming) ?? told
  }

  /// After a wrong digest or length, tries the remedy, then a mirror, and then gives up.
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

  private mutating func uploadAgain(_ reason: StartOver, _ failure: Failure, _ facts: AttemptFacts) {
    bytes = .startedOver(reason)
    move = .requeue(after: nil, nil, facts.retry)
    record = Record(outcome: "restarted", failure: failure)
  }

  /// Switches to the next mirror if it may succeed.
  /// - Returns: The failure for the retry policy; `nil` if another URL is requested at once.
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
