// When a job is tried again, and when it is given up: a pure decision.

/// The rule for retries: exponential back-off with jitter, capped, reset by progress only.
public struct RetryPolicy: Sendable, Equatable {
  /// The number of retries without progress.
  public var limit: Int
  /// Seconds before the first retry.
  public var wait: Double
  /// The longest back-off, in seconds.
  public var cap: Double
  /// The longest delay, in seconds, that a server may ask for.
  public var maxServerWait: Double

  /// Bytes beyond the furthest position ever reached that count as progress.
  public static let newGround: Int64 = 64 << 10

  /// Whether an attempt made progress: it came ``newGround`` further than any before. An answer that continued and was proved
  /// at its joint needs as many bytes, those of the overlap included, and one new one: a connection that breaks off
  /// every 64 to 128 KiB brings little more than the overlap (P18).
  /// - Parameters:
  ///   - reached: the number of bytes of the file on disk after the attempt.
  ///   - continued: the number of bytes that its last answer continued from; 0 if the file began again.
  ///   - furthest: the most that earlier attempts reached.
  public static func isProgress(reached: Int64, continued: Int64, furthest: Int64) -> Bool {
    if reached >= furthest + newGround { return true }
    guard continued > 0, reached > furthest else { return false }
    return reached - continued + min(continued, Joint.overlap) >= newGround
  }

  /// Makes a policy.
  public init(limit: Int = 5, wait: Double = 1, cap: Double = 60, maxServerWait: Double = 3600) {
    self.limit = limit
    self.wait = wait
    self.cap = cap
    self.maxServerWait = maxServerWait
  }

  /// The policy that a job's options ask for.
  public init(_ options: JobOptions) {
    self.init(limit: options.retries, wait: options.retryWait, maxServerWait: options.maxRetryWait)
  }

  /// What follows a failure.
  public enum Decision: Sendable, Equatable {
    /// Queue it again, to be tried after this many seconds.
    case retry(after: Double)
    /// Stop, in this state, with the failure amended to say why it is not retried.
    case giveUp(JobState, Failure)

    /// This decision on the job of this number, which stands for the `ID` in commands of its advice.
    public func naming(_ id: Int64) -> Decision {
      if case .giveUp(let state, let failure) = self { .giveUp(state, failure.naming(id)) } else { self }
    }
  }

  /// Decides what follows `failure`.
  /// - Parameters:
  ///   - record: the state so far; it is updated.
  ///   - kept: bytes of the file that are on disk and may be resumed.
  ///   - reached: the furthest position that this attempt wrote.
  ///   - continued: the bytes that it continued from; 0 if the file began again.
  ///   - isSafe: whether the request may be repeated on its own (P10).
  ///   - jitter: a random number in `0..<1`.
  public func decide(
    _ failure: Failure, record: inout RetryRecord, kept: Int64, reached: Int64, continued: Int64 = 0,
    isSafe: Bool = true, jitter: Double
  ) -> Decision {
    if RetryPolicy.isProgress(reached: reached, continued: continued, furthest: record.furthest) { record.used = 0 }
    record.furthest = max(record.furthest, reached)
    let stopped: JobState = kept > 0 ? .interrupted : .failed
    var failure = failure
    // A run does not continue failed jobs.
    if stopped == .failed, failure.recovery == .retry { failure.advice = "\(.retry) tries again" }

    switch failure.recovery {
    case .final:
      return .giveUp(.failed, failure)
    case .keep:
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
    guard record.used < limit else {
      var reported = failure
      if limit > 0 { reported.reason += " (\(limit) \(limit == 1 ? "retry" : "retries") used up)" }
      return .giveUp(stopped, reported)
    }
    let asked = Double(failure.retryAfter ?? 0)
    guard asked <= maxServerWait else {
      var reported = failure
      reported.reason += ", and asked to wait \(failure.retryAfter ?? 0) s"
      reported.advice = "use \(.run) after that, or allow it with \(.maxRetryWait)"
      // The bytes, or the place in the queue, are kept either way: the server only asked for a delay.
      return .giveUp(.interrupted, reported)
    }
    record.used += 1
    return .retry(after: max(asked, backOff(record.used, jitter: jitter)))
  }

  /// Seconds to wait before the `n`-th retry: doubled each time, capped, and spread over its upper half so that
  /// clients that failed together do not come back together.
  func backOff(_ n: Int, jitter: Double) -> Double {
    let full = min(cap, wait * Double(1 << min(n - 1, 20)))
    return full * (0.5 + 0.5 * jitter)
  }
}
