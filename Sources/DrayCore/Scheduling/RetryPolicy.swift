// Decides when a job is retried, and when it is given up.

/// The rule for retries: the pause before each retry is about twice as long as the one before, has a random part and a
/// maximum, and starts over only after progress.
///
/// A wait that the server asks for does not count as a failed try, as long as its origin serves other requests:
///
/// | requested wait | the origin has served a request since it last refused the job, or refuses for the first time | any other origin |
/// |---|---|---|
/// | none | a retry is used up; back-off | the same |
/// | up to the maximum | waits, and uses up no retry | a retry is used up; waits |
/// | longer | interrupted, with the time | the same |
///
/// During a wait, the origin is on hold for all jobs (``AttemptEnding/originWait``).
package struct RetryPolicy: Sendable, Equatable {
  /// The maximum number of retries without progress.
  package var limit: Int
  /// The seconds before the first retry.
  package var wait: Double
  /// The maximum pause before a retry in seconds, unless the server asks for a longer one.
  package var cap: Double
  /// The longest wait in seconds that a server may ask for.
  package var maxServerWait: Double
  /// Whether a job without any bytes fails at once if its server cannot be reached for a reason that seldom goes away:
  /// a name that does not exist, or a port at which nobody listens.
  package var failsFast: Bool
  /// Whether failures that servers report are retried even if they seldom go away.
  package var retriesAll = false

  /// For a policy that fails fast, the number of retries at a port where nobody listens, and the maximum pause in
  /// seconds before each of them.
  static let (portRetries, portWait) = (2, 0.3)

  /// Whether an attempt made progress, which means at least 64 KiB more than any earlier attempt. If its last answer
  /// continued kept bytes, fewer bytes are enough, in proportion to those that the connection brought:
  /// ``Joint/isProgress(_:compared:)``.
  /// - Parameters:
  ///   - reached: The number of bytes of the file on disk after the attempt.
  ///   - continued: The position from which the last answer continued the file; 0 if the file began again.
  ///   - furthest: The furthest position that earlier attempts reached.
  package static func isProgress(reached: Int64, continued: Int64, furthest: Int64) -> Bool {
    if reached >= furthest + Joint.newGround { return true }
    guard continued > 0, reached > furthest else { return false }
    let (new, compared) = (reached - max(continued, furthest), min(continued, Joint.overlap))
    return Joint.isProgress(new, compared: compared + max(0, furthest - continued))
  }

  /// Creates a policy.
  package init(
    limit: Int = 5, wait: Double = 1, cap: Double = RetryRecord.longestPause, maxServerWait: Double = 3600,
    failsFast: Bool = false
  ) {
    self.limit = limit
    self.wait = wait
    self.cap = cap
    self.maxServerWait = maxServerWait
    self.failsFast = failsFast
  }

  /// Creates the policy from a job's options.
  package init(_ options: JobOptions, failsFast: Bool) {
    self.init(
      limit: options.retries, wait: options.retryWait, maxServerWait: options.maxRetryWait,
      failsFast: failsFast && options.retriesAll != true)
    retriesAll = options.retriesAll ?? false
  }

  /// What to do after a failure.
  package enum Decision: Sendable, Equatable {
    /// Queue the job, and try it again after this many seconds.
    case retry(after: Double)
    /// Do not try the job again, and put it into this state. The failure says why the job is not retried.
    case giveUp(JobState, Failure)

    /// Adds the job's number to the advice of the failure.
    package func naming(_ id: Int64) -> Decision {
      if case .giveUp(let state, let failure) = self { .giveUp(state, failure.naming(id)) } else { self }
    }
  }

  /// Decides what to do after a failure.
  /// - Parameters:
  ///   - record: What is remembered about earlier tries; it is updated.
  ///   - progress: The progress of the attempt.
  ///   - isSafe: Whether the request may be repeated automatically (P10).
  ///   - waitIsFree: Whether a wait that the server asks for uses up no retry.
  ///   - jitter: A random number in `0..<1`.
  package func decide(
    _ failure: Failure, record: inout RetryRecord, _ progress: AttemptFacts.Progress, isSafe: Bool = true,
    waitIsFree: Bool = false, jitter: Double
  ) -> Decision {
    let (kept, reached) = (progress.kept, progress.reached)
    if RetryPolicy.isProgress(reached: reached, continued: progress.continued, furthest: record.furthest) {
      record.used = 0
    }
    record.furthest = max(record.furthest, reached)
    let stopped: JobState = kept > 0 && failure.recovery != .final ? .interrupted : .failed
    var failure = failure
    // With bytes, the name or the interface existed before, and may be back.
    let isTypo = failure.obstacle == .unknownName || failure.obstacle == .missingInterface
    if failsFast, kept == 0, isTypo { return .giveUp(stopped, failure) }
    // No run continues a failed job unless it is asked to, so the advice names the command.
    if stopped == .failed, failure.recovery == .retry, failure.obstacle != .missingInterface {
      failure.advice = "\(.retry) tries again"
    }

    switch retriesAll && MirrorChoice.isServers(failure) ? .retry : failure.recovery {
    case .final, .keep:
      return .giveUp(stopped, failure)
    case .wait:
      return .giveUp(.interrupted, failure)
    case .retry:
      break
    }
    guard isSafe else {
      var reported = failure
      reported.advice = "it was not repeated because it may have taken effect; \(.retry) sends it again"
      return .giveUp(stopped, reported)
    }
    let asked = Double(failure.retryAfter ?? 0)
    guard asked <= maxServerWait else {
      var reported = failure
      reported.reason += ", and asked to wait \(failure.retryAfter ?? 0) s"
      reported.advice = "\(.run) continues after that"
      // The server only asked for a longer wait, so the job keeps its bytes and its place in the queue.
      return .giveUp(.interrupted, reported)
    }
    if asked > 0, waitIsFree { return .retry(after: asked) }
    let isQuick = failsFast && kept == 0 && failure.obstacle == .refusedPort
    if isQuick, record.used >= RetryPolicy.portRetries {
      var reported = failure
      reported.reason += " (\(record.used + 1) tries)"
      return .giveUp(stopped, reported)
    }
    guard record.used < limit else {
      var reported = failure
      if limit > 0 { reported.reason += " (\(limit + 1) tries)" }
      return .giveUp(stopped, reported)
    }
    record.used += 1
    let wait = backOff(record.used, jitter: jitter)
    return .retry(after: max(asked, isQuick ? min(RetryPolicy.portWait, wait) : wait))
  }

  /// Returns the seconds before the retry number `n`. They double with each retry up to the maximum, and are then
  /// reduced at random by up to half, so that clients that failed at the same time do not come back at the same time.
  func backOff(_ n: Int, jitter: Double) -> Double {
    let full = min(cap, wait * Double(1 << min(n - 1, 20)))
    return full * (0.5 + 0.5 * jitter)
  }
}
