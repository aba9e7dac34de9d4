// When a job is retried, and when it is given up.

import Testing

@testable import DrayCore

@Suite struct RetryPolicyTests {
  /// A transfer that was cut off: R21 and R22, which libcurl reports.
  static let cut = Failure(.network, "http://h/f", "the body was cut off", recovery: .retry)

  @Test(arguments: 1...40)
  func backOffDoublesWithinItsCapAndSpreadsOverItsUpperHalf(n: Int) {
    let policy = RetryPolicy(wait: 1, cap: 60)
    let full = n > 6 ? 60.0 : Double(1 << (n - 1))
    #expect(policy.backOff(n, jitter: 0) == full / 2)
    #expect(policy.backOff(n, jitter: 0.5) == full * 0.75)
    #expect(policy.backOff(n, jitter: 0.999_999) < full)
    #expect(policy.backOff(.max, jitter: 0) == 30)
  }

  @Test(arguments: [(0, JobState.failed), (1, .interrupted)] as [(Int64, JobState)])
  func retriesAreUsedUp(kept: Int64, state: JobState) {
    let policy = RetryPolicy(limit: 3)
    var record = RetryRecord()
    for used in 1...3 {
      let decision = policy.decide(
        RetryPolicyTests.cut, record: &record, AttemptFacts.Progress(kept: kept, reached: kept), jitter: 0)
      #expect(decision == .retry(after: Double(1 << (used - 1)) / 2))
      #expect(record.used == used)
    }
    guard
      case .giveUp(state, let failure) = policy.decide(
        RetryPolicyTests.cut, record: &record, AttemptFacts.Progress(kept: kept, reached: kept), jitter: 0)
    else {
      Issue.record("not stopped as \(state)")
      return
    }
    #expect(failure.reason == "the body was cut off (4 tries)")
    #expect(failure.exitStatus == .network)
  }

  @Test func noRetriesAreNoRetries() {
    var record = RetryRecord()
    let decision = RetryPolicy(limit: 0).decide(
      RetryPolicyTests.cut, record: &record, AttemptFacts.Progress(kept: 0, reached: 0), jitter: 0)
    // A run does not retry failed jobs, so the advice differs.
    var told = RetryPolicyTests.cut
    told.advice = "\(.retry) tries again"
    #expect(decision == .giveUp(.failed, told))
  }

  private static func unreachable(_ obstacle: Failure.Obstacle) -> Failure {
    var failure = Failure(.network, "http://h/f", "no connection", recovery: .retry)
    failure.obstacle = obstacle
    return failure
  }

  /// A retry helps only if the interface is back.
  @Test(arguments: [true, false])
  func whatHelpsWithoutTheInterface(failsFast: Bool) {
    var failure = RetryPolicyTests.unreachable(.missingInterface)
    failure.advice = "choose one with \(.interface)"
    var record = RetryRecord()
    while true {
      let decision = RetryPolicy(failsFast: failsFast).decide(
        failure, record: &record, AttemptFacts.Progress(kept: 0, reached: 0), jitter: 0)
      guard case .giveUp(let state, let told) = decision else { continue }
      #expect(state == .failed && told.advice == failure.advice)
      break
    }
  }

  /// A typo is reported at once, unless the job has bytes, or no user is watching.
  @Test(
    arguments: [
      (true, .unknownName, 0, 0), (true, .refusedPort, 0, 2), (true, .unresolvedName, 0, 5),
      (true, .unknownName, 9, 5), (true, .refusedPort, 9, 5),
      (false, .unknownName, 0, 5), (false, .refusedPort, 0, 5),
      (true, .missingInterface, 0, 0), (true, .missingInterface, 9, 5), (false, .missingInterface, 0, 5),
    ] as [(Bool, Failure.Obstacle, Int64, Int)])
  func failingFast(failsFast: Bool, obstacle: Failure.Obstacle, kept: Int64, retries: Int) {
    let policy = RetryPolicy(failsFast: failsFast)
    var record = RetryRecord()
    var waits: [Double] = []
    while waits.count < 50,
      case .retry(let wait) = policy.decide(
        RetryPolicyTests.unreachable(obstacle), record: &record, AttemptFacts.Progress(kept: kept, reached: kept),
        jitter: 0)
    {
      waits.append(wait)
    }
    #expect(waits.count == retries)
    #expect(retries != 2 || waits == [0.3, 0.3])
  }

  @Test(arguments: [(5, "no connection (3 tries)"), (1, "no connection (2 tries)"), (0, "no connection")])
  func theTriesAreCounted(limit: Int, reason: String) {
    let policy = RetryPolicy(limit: limit, failsFast: true)
    var record = RetryRecord(used: min(limit, 2))
    let decision = policy.decide(
      RetryPolicyTests.unreachable(.refusedPort), record: &record, AttemptFacts.Progress(kept: 0, reached: 0), jitter: 0
    )
    guard case .giveUp(.failed, let failure) = decision else {
      Issue.record("\(decision)")
      return
    }
    #expect(failure.reason == reason)
  }

  /// Columns: the kind, the recovery, the bytes kept, the retries, and the final state, if the user wants all errors
  /// retried.
  @Test(
    arguments: [
      (.status, .keep, 0, 3, .failed), (.status, .keep, 9, 3, .interrupted), (.status, .final, 9, 3, .failed),
      (.tls, .keep, 0, 3, .failed), (.file, .keep, 0, 0, .failed), (.file, .wait, 0, 0, .interrupted),
      (.status, .wait, 0, 0, .interrupted),
    ] as [(Failure.Kind, Failure.Recovery, Int64, Int, JobState)])
  func allErrors(kind: Failure.Kind, recovery: Failure.Recovery, kept: Int64, retries: Int, state: JobState) {
    var options = JobOptions()
    (options.retriesAll, options.retries) = (true, 3)
    let policy = RetryPolicy(options, failsFast: true)
    #expect(!policy.failsFast)
    let failure = Failure(kind, "http://h/f", "x", advice: "check the URL", recovery: recovery)
    var record = RetryRecord()
    var decision = policy.decide(failure, record: &record, AttemptFacts.Progress(kept: kept, reached: kept), jitter: 0)
    while case .retry = decision {
      decision = policy.decide(failure, record: &record, AttemptFacts.Progress(kept: kept, reached: kept), jitter: 0)
    }
    guard case .giveUp(state, let told) = decision else {
      Issue.record("\(decision)")
      return
    }
    #expect(record.used == retries && told.advice == failure.advice && told.recovery == recovery)
  }

  @Test func theNameIsTold() {
    let failure = RetryPolicyTests.unreachable(.unresolvedName).ofUnknownName("nosuch.example")
    #expect(failure.description == "http://h/f: the name nosuch.example does not exist")
    #expect(failure.advice?.description == "check the URL")
    var record = RetryRecord()
    let decision = RetryPolicy(failsFast: true).decide(
      failure, record: &record, AttemptFacts.Progress(kept: 0, reached: 0), jitter: 0)
    #expect(decision == .giveUp(.failed, failure))
  }

  /// A dripping server, or a file that starts over each time, ends.
  @Test(
    arguments: [
      (Joint.newGround, true), (Joint.newGround - 1, false), (0, false),
    ] as [(Int64, Bool)])
  func onlyNewGroundResetsTheCount(step: Int64, goesOn: Bool) {
    let policy = RetryPolicy(limit: 2)
    var record = RetryRecord()
    var tries: Int64 = 0
    var reached: Int64 = 0
    while tries < 50 {
      reached += step
      guard
        case .retry = policy.decide(
          RetryPolicyTests.cut, record: &record, AttemptFacts.Progress(kept: reached, reached: reached), jitter: 0)
      else { break }
      tries += 1
    }
    #expect(tries == (goesOn ? 50 : 2))
  }

  private static let (kib, mib): (Int64, Int64) = (1 << 10, 1 << 20)

  /// P18: an answer that repeats the last 64 KiB and brings one more byte is progress. One that drips or starts over is
  /// not.
  @Test(
    arguments: [
      // The overlap and one byte, the overlap and 64 KiB, the overlap only.
      (mib + 1, mib, mib, true), (mib + 64 * kib, mib, mib, true), (mib, mib, mib, false),
      // A line that gives little: at least 1 KiB must be new.
      (64 * kib, 30 * kib, 30 * kib, true), (31 * kib, 30 * kib, 30 * kib, true),
      (31 * kib - 1, 30 * kib, 30 * kib, false),
      (2, 1, 1, false),
      // Bytes were given up before: reaching the same position again is not progress.
      (mib, 100 * kib, 2 * mib, false), (2 * mib + 1, 100 * kib, 2 * mib, true),
      // The file started over.
      (mib + 1, 0, mib, false), (mib + 64 * kib, 0, mib, true), (64 * kib, 0, 0, true), (64 * kib - 1, 0, 0, false),
    ] as [(Int64, Int64, Int64, Bool)])
  func progress(reached: Int64, continued: Int64, furthest: Int64, isProgress: Bool) {
    #expect(RetryPolicy.isProgress(reached: reached, continued: continued, furthest: furthest) == isProgress)
    var record = RetryRecord(used: 3, furthest: furthest)
    _ = RetryPolicy().decide(
      RetryPolicyTests.cut, record: &record,
      AttemptFacts.Progress(kept: reached, reached: reached, continued: continued), jitter: 0)
    #expect(record == RetryRecord(used: isProgress ? 1 : 4, furthest: max(reached, furthest)))
  }

  @Test func oldGroundIsNotNew() {
    var record = RetryRecord(used: 1, furthest: 1 << 20)
    _ = RetryPolicy().decide(
      RetryPolicyTests.cut, record: &record, AttemptFacts.Progress(kept: 0, reached: 900_000), jitter: 0)
    #expect(record == RetryRecord(used: 2, furthest: 1 << 20))
  }

  @Test(
    arguments: [
      (2, 2), (0, 0.5), (nil, 0.5), (3600, 3600),
    ] as [(Int64?, Double)])
  func theServersWaitIsWaitedOut(retryAfter: Int64?, expected: Double) {
    var failure = RetryPolicyTests.cut
    failure.retryAfter = retryAfter
    var record = RetryRecord()
    let decision = RetryPolicy().decide(failure, record: &record, AttemptFacts.Progress(kept: 0, reached: 0), jitter: 0)
    #expect(decision == .retry(after: expected))
  }

  /// The table of ``RetryPolicy``: the wait, whether it is free, the retries used of 2, and what follows.
  @Test(
    "a wait of an origin that serves others uses up no retry",
    arguments: [
      (7, true, 0, 7, 0), (7, true, 2, 7, 2), (7, false, 0, 7, 1), (7, false, 2, nil, 2), (0, true, 0, 0.5, 1),
      (0, true, 2, nil, 2), (nil, true, 2, nil, 2), (3601, true, 0, nil, 0), (3601, false, 2, nil, 2),
    ] as [(Int64?, Bool, Int, Double?, Int)])
  func waits(asked: Int64?, isFree: Bool, used: Int, delay: Double?, after: Int) {
    var failure = RetryPolicyTests.cut
    failure.retryAfter = asked
    var record = RetryRecord(used: used)
    let decision = RetryPolicy(limit: 2).decide(
      failure, record: &record, AttemptFacts.Progress(kept: 0, reached: 0), waitIsFree: isFree, jitter: 0)
    if case .retry(let after) = decision { #expect(after == delay) } else { #expect(delay == nil) }
    #expect(record.used == after)
    if asked ?? 0 > 3600 { #expect({ if case .giveUp(.interrupted, _) = decision { true } else { false } }()) }
  }

  @Test func aWaitThatIsTooLongInterrupts() {
    var failure = RetryPolicyTests.cut
    failure.retryAfter = 3601
    var record = RetryRecord()
    guard
      case .giveUp(.interrupted, let told) = RetryPolicy().decide(
        failure, record: &record, AttemptFacts.Progress(kept: 0, reached: 0), jitter: 0)
    else {
      Issue.record("not interrupted")
      return
    }
    #expect(told.reason.contains("3601 s"))
    #expect(record.used == 0)
  }

  @Test(
    arguments: [
      (.final, 0, .failed), (.final, 9, .failed), (.keep, 0, .failed), (.keep, 9, .interrupted),
      (.wait, 0, .interrupted), (.wait, 9, .interrupted),
    ] as [(Failure.Recovery, Int64, JobState)])
  func whatIsNotRetried(recovery: Failure.Recovery, kept: Int64, state: JobState) {
    let failure = RetryPolicyTests.cut.recovering(recovery)
    var record = RetryRecord()
    let decision = RetryPolicy().decide(
      failure, record: &record, AttemptFacts.Progress(kept: kept, reached: kept), jitter: 0)
    #expect(decision == .giveUp(state, failure))
  }

  /// P10: a request that may have taken effect is not repeated automatically.
  @Test(arguments: [(0, JobState.failed), (9, .interrupted)] as [(Int64, JobState)])
  func unsafeRequestsAreNotRepeated(kept: Int64, state: JobState) {
    var record = RetryRecord()
    let decision = RetryPolicy().decide(
      RetryPolicyTests.cut, record: &record, AttemptFacts.Progress(kept: kept, reached: kept), isSafe: false, jitter: 0)
    guard case .giveUp(state, let failure) = decision else {
      Issue.record("\(decision)")
      return
    }
    #expect(failure.advice?.description.contains("a retry") == true)
  }

  @Test(arguments: [("GET", true), ("HEAD", true), ("POST", false), ("PUT", false), ("DELETE", false), ("get", false)])
  func safeMethods(method: String, isSafe: Bool) throws {
    var request = TransferRequest(url: try url("http://h/"))
    request.method = method
    #expect(request.isSafe == isSafe)
  }
}
