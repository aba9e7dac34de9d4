// How an attempt ends: rows for each reason, and invariants for all combinations of facts.

import Testing

@testable import DrayCore

@Suite struct AttemptEndingTests {
  static let cut = Failure(.network, "http://h/f", "the body was cut off", recovery: .retry)
  static let gone = Failure(
    .status, "http://h/f", "451", advice: "\(.setURL)", httpStatus: 451, recovery: .keep)
  static let busy = Failure(
    .status, "http://h/f", "503", httpStatus: 503, recovery: .retry, retryAfter: 7)
  static let wrong = Failure(.integrity, "http://h/f", "its digest is another one")
  static let later = Failure(.other, "http://h/f", "not now", recovery: .wait, retryAfter: 9)
  static let lost = Failure(.other, "job 5", "another process took it over", recovery: .keep)

  static func facts(
    safe: Bool = true, sending: AttemptFacts.Sending = .yes, kept: Int64 = 0, reached: Int64 = 0,
    retry: RetryRecord = RetryRecord(used: 1, furthest: 40), limit: Int = 5, mirrors: MirrorChoice? = nil
  ) throws -> AttemptFacts {
    var request = TransferRequest(url: try RequestURL.parse("http://h/f").url)
    if !safe { request.method = "POST" }
    return AttemptFacts(
      job: 5, request: request, sending: sending,
      progress: AttemptFacts.Progress(kept: kept, reached: reached), retry: retry,
      policy: RetryPolicy(limit: limit, wait: 1),
      mirrors: mirrors, jitter: 0)
  }

  // MARK: Rows

  struct Row: Sendable {
    var end: AttemptEnd
    var bytes: AttemptEnding.Bytes
    var move: AttemptEnding.Move
    var pending: PendingCommandRule
    var record: AttemptEnding.Record?
    var report: AttemptEnding.Report?
    var removesBody = false
    var failsDependents = false
    var keepsBytes = false
  }

  /// A safe request with 100 bytes kept; an earlier attempt reached 40.
  static let rows: [Row] = [
    Row(
      end: .shutdown, bytes: .untouched, move: .end(.interrupted, nil, RetryRecord(used: 1, furthest: 100)),
      pending: .yield, record: .init(outcome: "interrupted", last: 100), report: .interrupted(nil), keepsBytes: true),
    Row(
      end: .command(.pause), bytes: .untouched, move: .end(.paused, nil, RetryRecord(used: 1, furthest: 100)),
      pending: .carryOut(.pause), record: .init(outcome: "paused", last: 100), report: .paused, keepsBytes: true),
    Row(
      end: .command(.remove), bytes: .removedDurably, move: .remove(isMet: false), pending: .drop, report: .removed,
      removesBody: true, failsDependents: true),
    Row(end: .command(.retry), bytes: .removed, move: .renew, pending: .carryOut(.retry)),
    Row(
      end: .command(.restart), bytes: .untouched, move: .requeue(after: nil, nil, RetryRecord()),
      pending: .carryOut(.restart), record: .init(outcome: "restarted", last: 100), keepsBytes: true),
    // The attempt does not count, so nothing is recorded.
    Row(
      end: .shareRefused(later), bytes: .untouched, move: .giveBack, pending: .yield,
      report: .waiting(until: nil, share: "http://h/f"), keepsBytes: true),
    Row(
      end: .outsideWindow(opening: 9), bytes: .untouched,
      move: .requeue(after: nil, nil, RetryRecord(used: 1, furthest: 100)), pending: .yield,
      record: .init(outcome: "window closed", last: 100), report: .waiting(until: 9), keepsBytes: true),
    Row(
      end: .commandWithdrawn, bytes: .untouched, move: .requeue(after: nil, nil, RetryRecord(used: 1, furthest: 40)),
      pending: .yield),
    Row(
      end: .queueClosed("films", opening: 9), bytes: .untouched,
      move: .requeue(after: nil, nil, RetryRecord(used: 1, furthest: 100)), pending: .yield,
      record: .init(outcome: "queue closed", last: 100), report: .waiting(until: 9, queue: "films"), keepsBytes: true),
    Row(
      end: .queueChanged("films"), bytes: .untouched,
      move: .requeue(after: nil, nil, RetryRecord(used: 1, furthest: 100)), pending: .yield,
      record: .init(outcome: "moved to queue films", last: 100), keepsBytes: true),
    Row(
      end: .refused(gone), bytes: .removed, move: .end(.failed, gone, RetryRecord(used: 1, furthest: 40)),
      pending: .yield, record: .init(outcome: "failed", failure: gone, last: 40), report: .failed(gone),
      failsDependents: true),
    Row(
      end: .failed(cut), bytes: .untouched, move: .requeue(after: 1, cut, RetryRecord(used: 2, furthest: 40)),
      pending: .yield, record: .init(outcome: "retried", failure: cut, last: 100), report: .retrying(cut, delay: 1),
      keepsBytes: true),
    Row(
      end: .failed(gone), bytes: .untouched,
      move: .end(.interrupted, gone.naming(5), RetryRecord(used: 1, furthest: 40)), pending: .yield,
      record: .init(outcome: "interrupted", failure: gone.naming(5), last: 40), report: .interrupted(gone.naming(5)),
      keepsBytes: true),
    Row(
      end: .failed(later), bytes: .untouched,
      move: .end(.interrupted, later, RetryRecord(used: 1, furthest: 40), wait: 9), pending: .yield,
      record: .init(outcome: "interrupted", failure: later, last: 40), report: .interrupted(later), keepsBytes: true),
    Row(
      end: .failed(wrong), bytes: .removed, move: .end(.failed, wrong, RetryRecord(used: 1, furthest: 40)),
      pending: .yield, record: .init(outcome: "failed", failure: wrong, last: 40), report: .failed(wrong),
      failsDependents: true, keepsBytes: true),
    Row(
      end: .mismatched(wrong, .otherPieces), bytes: .untouched,
      move: .requeue(after: nil, wrong, RetryRecord(used: 1, furthest: 40)), pending: .yield,
      record: .init(outcome: "digest mismatch", failure: wrong)),
    Row(
      end: .mismatched(wrong, .cleanFetch), bytes: .startedOver(.digestMismatch),
      move: .requeue(after: nil, wrong, RetryRecord(used: 1, furthest: 40)), pending: .yield,
      record: .init(outcome: "digest mismatch", failure: wrong)),
    Row(
      end: .mismatched(wrong, nil), bytes: .removed, move: .end(.failed, wrong, RetryRecord(used: 1, furthest: 40)),
      pending: .yield, record: .init(outcome: "failed", failure: wrong, last: 40), report: .failed(wrong),
      failsDependents: true),
    Row(
      end: .pageInstead(wrong), bytes: .removed, move: .end(.failed, wrong, RetryRecord(used: 1, furthest: 40)),
      pending: .yield, record: .init(outcome: "failed", failure: wrong, last: 40), report: .failed(wrong),
      failsDependents: true),
    Row(
      end: .otherVersion(wrong),
      bytes: .startedOver(.changed("damaged blocks that were fetched again differ from the original")),
      move: .requeue(after: nil, nil, RetryRecord(used: 1, furthest: 40)), pending: .yield,
      record: .init(outcome: "restarted", failure: wrong)),
    Row(
      end: .uploadNameTaken(cut), bytes: .startedOver(.uploadNameTaken),
      move: .requeue(after: 1, cut, RetryRecord(used: 2, furthest: 40)), pending: .yield,
      record: .init(outcome: "retried", failure: cut, last: 100), report: .retrying(cut, delay: 1)),
    Row(
      end: .targetBusy(wrong), bytes: .untouched,
      move: .requeue(after: 1, wrong, RetryRecord(used: 1, furthest: 100)), pending: .yield,
      record: .init(outcome: "waits for its name", failure: wrong, last: 100), report: .retrying(wrong, delay: 1),
      keepsBytes: true),
    Row(
      end: .uploadUnproved(cut), bytes: .startedOver(.uploadUnproved),
      move: .requeue(after: nil, nil, RetryRecord(used: 1, furthest: 40)), pending: .yield,
      record: .init(outcome: "restarted", failure: cut)),
    Row(
      end: .partsRefused(wrong), bytes: .startedOver(.uploadLost),
      move: .requeue(after: nil, nil, RetryRecord(used: 1, furthest: 40)), pending: .yield,
      record: .init(outcome: "restarted", failure: wrong)),
    Row(
      end: .publishingCutOff(cut), bytes: .untouched, move: .interruptPublishing(cut), pending: .yield,
      record: .init(outcome: "interrupted", failure: cut), report: .interrupted(cut)),
    Row(
      end: .skipped(path: "/d/f"), bytes: .removedDurably, move: .remove(isMet: true), pending: .drop,
      report: .skipped(path: "/d/f"), removesBody: true),
    Row(end: .leaseLost(lost), bytes: .untouched, move: .none, pending: .yield, report: .interrupted(lost)),
  ]

  @Test(arguments: rows)
  func endsAsItsReasonSays(row: Row) throws {
    let facts = try AttemptEndingTests.facts(kept: 100)
    let ending = AttemptEnding(row.end, facts)
    #expect(ending.bytes == row.bytes)
    #expect(ending.move == row.move)
    #expect(ending.pending == row.pending)
    #expect(ending.record == row.record)
    #expect(ending.report == row.report)
    #expect(ending.removesBody == row.removesBody)
    #expect(ending.failsDependents == row.failsDependents)
    #expect(AttemptEnding.keepsBytes(row.end, facts) == row.keepsBytes)
  }

  @Test func anOriginThatAsksToWaitIsLeftAlone() throws {
    let ending = AttemptEnding(.failed(AttemptEndingTests.busy), try AttemptEndingTests.facts())
    #expect(ending.originWait == 7)
    #expect(ending.report == .retrying(AttemptEndingTests.busy, delay: 7))
    #expect(AttemptEnding(.failed(AttemptEndingTests.cut), try AttemptEndingTests.facts()).originWait == nil)
    // Also if the job itself does not wait: its retries are used up, it must not be repeated, or the wait is too long.
    for facts in [try AttemptEndingTests.facts(limit: 0), try AttemptEndingTests.facts(safe: false)] {
      #expect(AttemptEnding(.failed(AttemptEndingTests.busy), facts).originWait == 7)
    }
    var long = AttemptEndingTests.busy
    long.retryAfter = 3601
    let interrupted = AttemptEnding(.failed(long), try AttemptEndingTests.facts())
    guard case .end(.interrupted, _, _, wait: 3601, _) = interrupted.move else {
      Issue.record("\(interrupted.move)")
      return
    }
    #expect(interrupted.originWait == 3601)
  }

  /// The next mirror starts at once. It keeps the bytes, except after a mismatch.
  @Test(arguments: [false, true])
  func anotherURLIsAsked(isMismatch: Bool) throws {
    let failure = isMismatch ? AttemptEndingTests.wrong : AttemptEndingTests.cut
    let end: AttemptEnd = isMismatch ? .mismatched(failure, nil) : .failed(failure)
    let ending = AttemptEnding(end, try AttemptEndingTests.facts(kept: 100, mirrors: MirrorChoice(count: 2)))
    var told = failure
    told.reason += "; trying another of its URLs"
    #expect(ending.mirrors?.current == 1)
    #expect(ending.report == .retrying(told, delay: 0))
    #expect(ending.bytes == (isMismatch ? .startedOver(.digestMismatch) : .untouched))
    #expect(
      ending.move == .requeue(after: nil, failure, RetryRecord(used: 1, furthest: isMismatch ? 40 : 100)))
    #expect(ending.record?.outcome == (isMismatch ? "digest mismatch" : "mirror failed"))
    let page = AttemptEnding(
      .pageInstead(failure), try AttemptEndingTests.facts(kept: 100, mirrors: MirrorChoice(count: 2)))
    #expect(page.mirrors?.current == 1)
    #expect(page.bytes == .startedOver(.pageInstead))
    #expect(page.record?.outcome == "a page instead")
    // A remedy comes before the next mirror.
    let remedied = AttemptEnding(
      .mismatched(failure, .cleanFetch), try AttemptEndingTests.facts(mirrors: MirrorChoice(count: 2)))
    #expect(remedied.mirrors?.current == 0)
    #expect(remedied.report == nil)
  }

  @Test func theLastMirrorLeavesItToThePolicy() throws {
    var mirrors = MirrorChoice(count: 2)
    _ = mirrors.after(AttemptEndingTests.wrong, hasNewGround: false)
    let ending = AttemptEnding(
      .mismatched(AttemptEndingTests.wrong, nil), try AttemptEndingTests.facts(kept: 100, mirrors: mirrors))
    guard case .failed(let told)? = ending.report else {
      Issue.record("it did not fail")
      return
    }
    #expect(told.reason == "its digest is another one (and its mirror failed too)")
    #expect(ending.bytes == .removed)
  }

  // MARK: All combinations

  static let ends: [AttemptEnd] =
    rows.map(\.end) + [.failed(busy), .answerLost("its file was lost")]

  static func all(_ body: (AttemptFacts) -> Void) throws {
    for safe in [true, false] {
      for sending in [AttemptFacts.Sending.no, .yes, .unknown] {
        for (kept, reached) in [(0, 0), (100, 0), (100, 1 << 20)] as [(Int64, Int64)] {
          for limit in [0, 5] {
            for mirrors in [nil, MirrorChoice(count: 2)] {
              body(
                try facts(
                  safe: safe, sending: sending, kept: kept, reached: reached, limit: limit, mirrors: mirrors))
            }
          }
        }
      }
    }
  }

  @Test(arguments: ends)
  func holdsForAllThatMayBeKnown(end: AttemptEnd) throws {
    try AttemptEndingTests.all { facts in
      let ending = AttemptEnding(end, facts)
      let isUnanswered = !facts.request.isSafe && facts.sending == .yes
      // P10: a request that may have taken effect is not repeated automatically.
      switch (end, ending.move) {
      case (.failed(let failure), .requeue) where failure.httpStatus == nil && facts.mirrors == nil:
        #expect(facts.request.isSafe || facts.sending == .no)
      case (.shutdown, .end(_, _, _, _, let mayBeRepeated)):
        #expect(mayBeRepeated == !isUnanswered)
      default: break
      }
      // A failed job has no bytes, and the jobs waiting for it failed, too. A stop costs no other job its bytes.
      if case .end(let state, let failure, let retry, _, let mayBeRepeated) = ending.move {
        #expect((state == .failed) == ending.failsDependents)
        #expect((state == .failed || !mayBeRepeated) == (ending.bytes == .removed))
        #expect(retry.furthest >= facts.retry.furthest)
        #expect(ending.record?.failure == failure)
        #expect(ending.record?.outcome == state.rawValue)
        // A job that stops because of a failure says so.
        if let failure { #expect(ending.report == (state == .failed ? .failed(failure) : .interrupted(failure))) }
      }
      // Received bytes are made durable first, unless the answer is lost anyway.
      switch end {
      case .shutdown: #expect(AttemptEnding.keepsBytes(end, facts) == !isUnanswered)
      case .failed(let failure):
        #expect(AttemptEnding.keepsBytes(end, facts) == (!isUnanswered || failure.httpStatus != nil))
      default: break
      }
      // A command is dropped only if the job can no longer obey it, and carried out only if it caused the end.
      switch ending.pending {
      case .carryOut(let command): #expect(end == .command(command))
      case .drop:
        switch ending.move {
        case .remove, .end(_, _, _, _, mayBeRepeated: false): break
        default: Issue.record("a command is lost by \(ending.move)")
        }
      case .yield: break
      }
      if ending.removesBody { #expect(ending.bytes == .removedDurably) }
      if ending.originWait != nil { #expect(end == .failed(AttemptEndingTests.busy)) }
      // Only retries wait, and jobs whose target another job has: any other requeued job starts at once.
      if case .requeue(let delay?, _, _) = ending.move {
        #expect(delay > 0)
        if case .targetBusy = end {
          #expect(ending.record?.outcome == "waits for its name")
        } else {
          #expect(ending.record?.outcome == "retried")
        }
      }
      // Every ending is reported, except one that starts again.
      if ending.report == nil {
        switch ending.move {
        case .requeue, .renew: break
        default: Issue.record("\(ending.move) is not reported")
        }
      }
    }
  }

  /// Without a job, no number is named.
  @Test func aFetchWithoutAJobHasNoNumber() throws {
    var facts = try AttemptEndingTests.facts(safe: false)
    facts.job = nil
    guard case .interrupted(let failure?)? = AttemptEnding(.failed(AttemptEndingTests.cut), facts).report else {
      Issue.record("it was not interrupted")
      return
    }
    #expect(failure.advice == "check the server; the same command sends it again")
    #expect(failure.recovery == .wait)
  }
}
