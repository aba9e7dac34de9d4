// Decisions about an answer: the rows R1 to R19 and R24 of the cases, the second half of the resume ladder.
//
// Decided elsewhere: R20 (StatusRuleTests), R21 to R23 (RetryPolicyTests has the failure; the framing is libcurl's),
// R26 (the body is written unchanged), R27 (AskTests: only the prefix counts).

import Testing

@testable import DrayCore

@Suite struct AnswerDecisionTests {
  static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let other = "Mon, 07 Nov 1994 08:49:37 GMT"
  static let etag = Validators(etag: "\"v1\"", lastModified: modified, date: other)
  static let date = Validators(lastModified: modified, date: other)
  static let rest = Ask.rest(from: 40, .ifRange("\"v1\""))
  static let dated = Ask.rest(from: 40, .ifRange(modified))
  static let matched = Ask.rest(from: 40, .ifMatch("\"v1\""))

  /// The expected decision of a row, without the wording.
  enum Outcome: Equatable {
    case write(at: Int64, until: Int64?, total: Int64?, comparing: Int64 = 0, startsOver: Bool = false)
    case restart
    case ask(Ask)
    case complete
    /// Written if the first bytes are not those of a page.
    case unlessPage(until: Int64?, startsOver: Bool = true)
    case compare([Segment])
    case stop(Failure.Kind)

    init(_ action: AnswerAction) {
      switch action {
      case .write(let at, let until, let total, let comparing, let reason):
        self = .write(at: at, until: until, total: total, comparing: comparing, startsOver: reason != nil)
      case .askAgain(.whole, let reason): self = reason == nil ? .ask(.whole) : .restart
      case .askAgain(let ask, _), .askForProof(let ask): self = .ask(ask)
      case .writeUnlessPage(let until, let reason): self = .unlessPage(until: until, startsOver: reason != nil)
      case .compare(let places): self = .compare(places)
      case .complete, .upToDate, .endUnproved: self = .complete
      case .stop(let failure): self = .stop(failure.kind)
      }
    }
  }

  static let resumed = Outcome.write(at: 40, until: 100, total: 100)
  static func whole(_ length: Int64?) -> Outcome { .unlessPage(until: length) }

  private func decide(
    _ ask: Ask, _ head: ResponseHead, have: Int64 = 40, size: Int64? = 100, _ validators: Validators = etag,
    digest: Bool = false
  ) -> AnswerAction {
    let recorded = Checkpoint(segments: SegmentSet(0..<have), size: size, validators: validators)
    return AnswerDecision(
      recorded: recorded, asked: ask, digestIsKnown: digest, subject: "http://h/f", now: 1_767_225_600
    ).action(on: head.framed)
  }

  @Test(
    arguments: [
      ("R1", rest, 206, ["ETag: \"v1\"", "Content-Range: bytes 40-99/100"], resumed),
      (
        "R1 other date", rest, 206, ["ETag: \"v1\"", "Last-Modified: \(other)", "Content-Range: bytes 40-99/100"],
        resumed
      ),
      ("R2", rest, 200, ["ETag: \"v2\"", "Content-Length: 90"], whole(90)),
      ("R2 no ETag", rest, 200, ["Content-Length: 90"], whole(90)),
      ("R3", rest, 200, ["ETag: \"v1\"", "Content-Length: 100"], .ask(matched)),
      ("R3 once", matched, 200, ["ETag: \"v1\"", "Content-Length: 100"], whole(100)),
      ("R3 resumed", matched, 206, ["ETag: \"v1\"", "Content-Range: bytes 40-99/100"], resumed),
      ("R4", rest, 206, ["ETag: \"v2\"", "Content-Range: bytes 40-99/100"], .restart),
      ("R4 weak", rest, 206, ["ETag: W/\"v1\"", "Content-Range: bytes 40-99/100"], .restart),
      ("R4 two ETags", rest, 206, ["ETag: \"v1\"", "ETag: \"v2\"", "Content-Range: bytes 40-99/100"], .restart),
      ("R4 the ETag twice", rest, 206, ["ETag: \"v1\"", "ETag: \"v1\"", "Content-Range: bytes 40-99/100"], resumed),
      ("R5", rest, 206, ["Last-Modified: \(other)", "Content-Range: bytes 40-99/100"], .restart),
      ("R5 same date", rest, 206, ["Last-Modified: \(modified)", "Content-Range: bytes 40-99/100"], .restart),
      ("R6", rest, 206, ["ETag: \"v1\"", "Content-Range: bytes 40-98/99"], .restart),
      ("R6 none", rest, 206, ["ETag: \"v1\"", "Content-Range: bytes 40-99/*"], .restart),
      ("R7 zero", rest, 206, ["ETag: \"v1\"", "Content-Range: bytes 0-99/100"], .restart),
      ("R7 earlier", rest, 206, ["ETag: \"v1\"", "Content-Range: bytes 39-99/100"], .restart),
      ("R7 later", rest, 206, ["ETag: \"v1\"", "Content-Range: bytes 41-99/100"], .restart),
      ("R8, R9", rest, 206, ["ETag: \"v1\"", "Content-Range: bytes 40-59/100"], .write(at: 40, until: 60, total: 100)),
      ("R10", rest, 206, ["ETag: \"v1\""], .restart),
      (
        "R11 twice", rest, 206, ["ETag: \"v1\"", "Content-Range: bytes 40-99/100", "Content-Range: bytes 40-99/100"],
        .restart
      ),
      ("R11 star", rest, 206, ["ETag: \"v1\"", "Content-Range: bytes */100"], .restart),
      ("R11 unit", rest, 206, ["ETag: \"v1\"", "Content-Range: lines 40-99/100"], .restart),
      ("R12", rest, 206, ["ETag: \"v1\"", "Content-Type: Multipart/Byteranges; boundary=x"], .restart),
      (
        "R12 both", rest, 206,
        ["ETag: \"v1\"", "Content-Type: multipart/byteranges", "Content-Range: bytes 40-99/100"], .restart
      ),
      (
        "R12 two types", rest, 206,
        [
          "ETag: \"v1\"", "Content-Type: a/b", "Content-Type: multipart/byteranges; boundary=x",
          "Content-Range: bytes 40-99/100",
        ], .restart
      ),
      (
        "R12 two lengths", rest, 206,
        ["ETag: \"v1\"", "Content-Length: 60", "Content-Length: 10", "Content-Range: bytes 40-99/100"], .restart
      ),
      (
        "R12 lengths of chunks", rest, 206,
        [
          "ETag: \"v1\"", "Transfer-Encoding: chunked", "Content-Length: 60", "Content-Length: 10",
          "Content-Range: bytes 40-99/100",
        ], resumed
      ),
      ("R12 gzip", rest, 206, ["ETag: \"v1\"", "Content-Encoding: gzip", "Content-Range: bytes 40-99/100"], .restart),
      (
        "R12 identity", rest, 206, ["ETag: \"v1\"", "Content-Encoding: identity", "Content-Range: bytes 40-99/100"],
        resumed
      ),
      ("R15 smaller", rest, 416, ["ETag: \"v1\"", "Content-Range: bytes */30"], .restart),
      ("R15 bare", rest, 416, ["ETag: \"v1\""], .restart),
      ("R15 same", rest, 416, ["Content-Range: bytes */40"], .restart),
      ("R16", rest, 304, [], .restart), ("R16", rest, 412, [], .restart), ("R16 after R3", matched, 412, [], .restart),
      ("R19", rest, 206, ["ETag: \"edge-2\"", "Content-Range: bytes 40-99/100"], .restart),
      ("R35", rest, 403, [], .restart), ("R35", rest, 501, [], .restart), ("H6", rest, 401, [], .stop(.authentication)),
      ("R24", rest, 200, ["Content-Length: 5s"], .stop(.protocolViolation)),
      ("H8", rest, 503, [], .stop(.status)), ("H2", rest, 204, [], .stop(.protocolViolation)),
    ] as [(String, Ask, Int, [String], Outcome)])
  func withETag(row: String, ask: Ask, status: Int, lines: [String], expected: Outcome) {
    #expect(Outcome(decide(ask, ResponseHead(status, lines))) == expected)
  }

  @Test(
    arguments: [
      ("R18", 206, ["Last-Modified: \(modified)", "Content-Range: bytes 40-99/100"], resumed),
      ("R18 left out", 206, ["Content-Range: bytes 40-99/100"], resumed),
      (
        "R5 two dates", 206,
        ["Last-Modified: \(modified)", "Last-Modified: \(other)", "Content-Range: bytes 40-99/100"], .restart
      ),
      ("R5", 206, ["Last-Modified: \(other)", "Content-Range: bytes 40-99/100"], .restart),
      ("200 same date", 200, ["Last-Modified: \(modified)", "Content-Length: 100"], whole(100)),
    ] as [(String, Int, [String], Outcome)])
  func withDate(row: String, status: Int, lines: [String], expected: Outcome) {
    #expect(
      Outcome(decide(AnswerDecisionTests.dated, ResponseHead(status, lines), AnswerDecisionTests.date)) == expected)
  }

  @Test(
    arguments: [
      ("R17", ["Content-Range: bytes 30-99/100"], .write(at: 30, until: 100, total: 100, comparing: 10)),
      ("R17 short", ["Content-Range: bytes 30-38/100"], .restart),
      ("R17 other total", ["Content-Range: bytes 30-98/99"], .restart),
      ("R17 other weak ETag", ["ETag: W/\"b\"", "Content-Range: bytes 30-99/100"], .restart),
      (
        "R17 same weak ETag", ["ETag: W/\"a\"", "Content-Range: bytes 30-99/100"],
        .write(at: 30, until: 100, total: 100, comparing: 10)
      ),
    ] as [(String, [String], Outcome)])
  func withOverlap(row: String, lines: [String], expected: Outcome) {
    let action = decide(.rest(from: 30, .overlap(10)), ResponseHead(206, lines), Validators(etag: "W/\"a\""))
    #expect(Outcome(action) == expected)
  }

  static let proving = Ask.rest(from: 0, .overlap(40, ifRange: "\"v1\""))
  static let proved = Outcome.write(at: 0, until: 100, total: 100, comparing: 40)

  /// R9, R28: a part without proof of its range is requested with proof, once.
  @Test(
    arguments: [
      ("R28", rest, ["Content-Length: 100", "Content-Range: bytes 40-99/100"], .ask(proving)),
      ("R28 shorter", rest, ["Content-Length: 59", "Content-Range: bytes 40-99/100"], .ask(proving)),
      ("R28 empty", rest, ["Content-Length: 0", "Content-Range: bytes 40-99/100"], .ask(proving)),
      (
        "R28 after R3", matched, ["Content-Length: 100", "Content-Range: bytes 40-99/100"],
        .ask(.rest(from: 0, .overlap(40, ifMatch: "\"v1\"")))
      ),
      ("R28 other version", rest, ["ETag: \"v2\"", "Content-Length: 100", "Content-Range: bytes 40-99/100"], .restart),
      ("R28 with an overlap", proving, ["Content-Length: 101", "Content-Range: bytes 0-99/100"], .ask(proving)),
      ("R28 proved", proving, ["Content-Length: 100", "Content-Range: bytes 0-99/100"], proved),
      ("chunks", rest, ["Transfer-Encoding: chunked", "Content-Range: bytes 40-99/100"], resumed),
      ("until close", rest, ["Content-Range: bytes 40-99/100"], resumed),
      (
        "many chunks", rest, ["Transfer-Encoding: chunked", "Content-Range: bytes 40-99999999/100000000"], .ask(proving)
      ),
      ("long, until close", rest, ["Content-Range: bytes 40-99999999/100000000"], .ask(proving)),
      ("chunks that prove", proving, ["Transfer-Encoding: chunked", "Content-Range: bytes 0-99/100"], proved),
      ("not even so much", proving, ["Content-Length: 39", "Content-Range: bytes 0-38/100"], .restart),
      (
        "a gap", .rest(from: 40, to: 60, .ifRange("\"v1\"")),
        ["Content-Length: 100", "Content-Range: bytes 40-59/100"],
        .ask(.rest(from: 0, to: 60, .overlap(40, ifRange: "\"v1\"")))
      ),
      (
        "nothing before it", .rest(from: 0, to: 60, .ifRange("\"v1\"")),
        ["Content-Length: 100", "Content-Range: bytes 0-59/100"], .restart
      ),
    ] as [(String, Ask, [String], Outcome)])
  func whatProvesWhereBytesBelong(row: String, ask: Ask, lines: [String], expected: Outcome) {
    let head = ResponseHead(206, (lines.contains { $0.hasPrefix("ETag") } ? [] : ["ETag: \"v1\""]) + lines)
    let recorded = Checkpoint(segments: SegmentSet(0..<40), size: nil, validators: AnswerDecisionTests.etag)
    let action = AnswerDecision(recorded: recorded, asked: ask, subject: "http://h/f", now: 0).action(on: head)
    #expect(Outcome(action) == expected)
  }

  /// R28: no third request for a proof.
  @Test func aSecondDoubtEndsInAWholeFile() {
    let recorded = Checkpoint(segments: SegmentSet(0..<40), size: nil, validators: AnswerDecisionTests.etag)
    var decision = AnswerDecision(recorded: recorded, asked: AnswerDecisionTests.proving, subject: "http://h/f", now: 0)
    decision.hadWrongPart = true
    let head = ResponseHead(206, ["ETag: \"v1\"", "Content-Length: 101", "Content-Range: bytes 0-99/100"])
    #expect(Outcome(decision.action(on: head)) == .restart)
  }

  /// R35: a temporary status counts as a refusal of the range only if no retry follows.
  @Test(arguments: [429, 500, 503]) func aPassingStatusIsWaitedFor(status: Int) {
    let recorded = Checkpoint(segments: SegmentSet(0..<40), size: 100, validators: AnswerDecisionTests.etag)
    var decision = AnswerDecision(recorded: recorded, asked: AnswerDecisionTests.proving, subject: "http://h/f", now: 0)
    #expect(Outcome(decision.action(on: ResponseHead(status, []))) == .stop(.status))
    decision.isLastTry = true
    #expect(Outcome(decision.action(on: ResponseHead(status, []))) == .restart)
  }

  /// A 403 that the user counts as temporary does not cost the bytes on disk.
  @Test func aStatusThatTheUserRetriesIsWaitedFor() throws {
    let recorded = Checkpoint(segments: SegmentSet(0..<40), size: 100, validators: AnswerDecisionTests.etag)
    var decision = AnswerDecision(recorded: recorded, asked: AnswerDecisionTests.proving, subject: "http://h/f", now: 0)
    #expect(Outcome(decision.action(on: ResponseHead(403, []))) == .restart)
    decision.retried = [try #require(StatusPattern("403"))]
    guard case .stop(let failure) = decision.action(on: ResponseHead(403, [])) else {
      Issue.record("not stopped")
      return
    }
    #expect(failure.recovery == .retry)
  }

  /// R15: from a server that answers 416 to every range the whole is requested once, not at each retry.
  @Test(arguments: [["Content-Range: bytes */30"], ["Content-Range: bytes */100"], []])
  func theWholeIsRequestedOnceAfter416(lines: [String]) {
    let recorded = Checkpoint(segments: SegmentSet(0..<40), size: 100, validators: AnswerDecisionTests.etag)
    var decision = AnswerDecision(recorded: recorded, asked: AnswerDecisionTests.proving, subject: "http://h/f", now: 0)
    guard case .askAgain(.whole, let reason?) = decision.action(on: ResponseHead(416, lines)) else {
      Issue.record("not started over")
      return
    }
    decision.hadUnsatisfied = JobNote.saysUnsatisfied(JobNote.startedOver(reason))
    guard case .stop(let failure) = decision.action(on: ResponseHead(416, lines)) else {
      Issue.record("started over again")
      return
    }
    #expect(failure.recovery == .keep && failure.httpStatus == 416)
    #expect(!JobNote.saysUnsatisfied(JobNote.startedOver(.rangesNotServed)) && !JobNote.saysUnsatisfied(nil))
    // The file is complete, so nothing is requested.
    let whole = ResponseHead(416, ["ETag: \"v1\"", "Content-Range: bytes */100"])
    decision.recorded.segments = SegmentSet(0..<100)
    decision.asked = .rest(from: 100, .ifRange("\"v1\""))
    #expect(Outcome(decision.action(on: whole)) == .complete)
  }

  static func resumed(_ recordedType: String?, _ validators: Validators = etag) throws -> AnswerDecision {
    let url = try RequestURL.parse("http://h/f").url
    let recorded = Checkpoint(
      segments: SegmentSet(0..<40), size: 100, validators: validators,
      provenance: Provenance(url: url, mediaType: recordedType))
    return AnswerDecision(recorded: recorded, asked: proving, subject: "http://h/f", now: 0)
  }

  static let written = Outcome.write(at: 0, until: 90, total: 90, startsOver: true)

  /// R31: before bytes on disk are given up, the first bytes of the answer decide, however it is labelled. If the file
  /// is a page, or the user gives the bytes up, nothing is examined.
  @Test(
    arguments: [
      ("text/html", "application/zip", false, false, whole(90)),
      ("application/xhtml+xml", nil, false, false, whole(90)),
      ("application/octet-stream", "application/octet-stream", false, false, whole(90)),
      ("text/plain", "application/zip", false, false, whole(90)),
      ("text/html", "text/html", false, false, written), ("text/html", nil, true, false, written),
      ("text/html", "application/zip", false, true, written),
    ] as [(String, String?, Bool, Bool, Outcome)])
  func aPageInstead(type: String, recordedType: String?, keepsPage: Bool, givesUp: Bool, expected: Outcome) throws {
    var decision = try AnswerDecisionTests.resumed(recordedType)
    (decision.keepsPage, decision.givesUpKept) = (keepsPage, givesUp)
    let head = ResponseHead(200, ["Content-Type: \(type); charset=utf-8", "Content-Length: 90"])
    #expect(Outcome(decision.action(on: head)) == expected)
  }

  /// R31: the first bytes of an answer that would replace those on disk.
  @Test(
    arguments: [
      ("text/html", "<!doctype html><p>", nil, .authentication),
      ("application/octet-stream", "<html><body>", nil, .authentication),
      ("application/octet-stream", "\n\n<html><body>", nil, .authentication),
      ("application/octet-stream", "PK", nil, nil), ("text/html", "letters", nil, nil),
      ("text/html", "", nil, .authentication), ("application/zip", "", nil, nil),
      ("application/octet-stream", "{}", "application/zip", .integrity),
      ("application/octet-stream", "PK\u{3}\u{4}", "application/zip", nil),
    ] as [(String, String, String?, Failure.Kind?)])
  func theFirstBytes(type: String, start: String, wanted: String?, expected: Failure.Kind?) throws {
    var decision = try AnswerDecisionTests.resumed("application/zip")
    decision.expected.type = wanted.flatMap { ExpectedType($0) }
    let failure = decision.refusal(
      of: ResponseHead(200, ["Content-Type: \(type)", "ETag: \"v2\""]), start: Array(start.utf8))
    #expect(failure?.kind == expected)
    #expect(failure == nil || failure?.recovery == .keep)
  }

  /// The signatures of tar archives and of images of disks are far from the start.
  @Test(
    arguments: [
      (nil, 64), ("application/zip", 64), ("application/pdf", 1024), ("application/x-tar", 32_774),
    ] as [(String?, Int)])
  func theFirstBytesThatAreGathered(wanted: String?, count: Int) throws {
    var decision = try AnswerDecisionTests.resumed("application/zip")
    decision.expected.type = wanted.flatMap { ExpectedType($0) }
    #expect(decision.startLook(ResponseHead(200, [])) == count)
  }

  /// R31: an expired session that is explained in JSON or the like, with status 200. It counts as the file only if the
  /// user says so.
  @Test func aSoftErrorIsRefused() throws {
    let head = ResponseHead(200, ["Content-Type: application/json", "Content-Length: 19"])
    var decision = try AnswerDecisionTests.resumed("application/octet-stream")
    #expect(Outcome(decision.action(on: head)) == .unlessPage(until: 19))
    let start = Array(#"{"error":"expired"}"#.utf8)
    let failure = try #require(decision.refusal(of: head, start: start))
    #expect((failure.kind, failure.recovery) == (.authentication, .keep))
    #expect(failure.reason == "19 B of application/json came instead of the file")
    #expect(failure.advice?.names(.resumeNever) == true)
    decision.asked = .whole
    #expect(decision.refusal(of: head, start: start)?.kind == .authentication)
    // A page that is replaced by an error is kept, too.
    decision.keepsPage = true
    #expect(Outcome(decision.action(on: head)) == .unlessPage(until: 19, startsOver: false))
    #expect(decision.refusal(of: head, start: start)?.kind == .authentication)
    #expect(decision.refusal(of: head, start: Array("PK\u{3}\u{4}".utf8)) == nil)
    decision.givesUpKept = true
    #expect(Outcome(decision.action(on: head)) == .write(at: 0, until: 19, total: 19))
  }

  /// R14: all bytes are here, and the server says that there are no more.
  @Test(
    arguments: [
      (etag, ["ETag: \"v1\"", "Content-Range: bytes */100"], 100, false, .complete),
      (etag, ["ETag: \"v1\"", "Content-Range: bytes */100"], nil, false, .complete),
      (etag, ["ETag: \"v2\"", "Content-Range: bytes */100"], 100, false, .restart),
      (etag, ["ETag: \"v1\"", "Content-Range: bytes */101"], 100, false, .restart),
      (etag, ["ETag: \"v1\"", "Content-Range: bytes */100"], 120, false, .restart),
      (Validators(), ["Content-Range: bytes */100"], 100, false, .restart),
      (Validators(), ["Content-Range: bytes */100"], 100, true, .complete),
    ] as [(Validators, [String], Int64?, Bool, Outcome)])
  func nothingIsMissing(validators: Validators, lines: [String], size: Int64?, digest: Bool, expected: Outcome) {
    let ask = Ask.rest(from: 100, .ifRange("\"v1\""))
    let action = decide(ask, ResponseHead(416, lines), have: 100, size: size, validators, digest: digest)
    #expect(Outcome(action) == expected)
  }

  @Test(
    arguments: [
      ("200", 200, ["Content-Length: 42"], .write(at: 0, until: 42, total: 42)),
      ("R23 no length", 200, [], .write(at: 0, until: nil, total: nil)),
      ("chunked", 200, ["Transfer-Encoding: chunked", "Content-Length: 7"], .write(at: 0, until: nil, total: nil)),
      ("R25", 200, ["Content-Length: 0"], .write(at: 0, until: 0, total: 0)),
      ("R24 twice", 200, ["Content-Length: 42,42"], .write(at: 0, until: 42, total: 42)),
      ("R24 two", 200, ["Content-Length: 42", "Content-Length: 30"], .stop(.protocolViolation)),
      ("R13", 206, ["Content-Range: bytes 10-99/100"], .stop(.protocolViolation)),
      ("R13 head", 206, ["Content-Range: bytes 0-98/100"], .stop(.protocolViolation)),
      ("R13 unknown", 206, ["Content-Range: bytes 0-99/*"], .stop(.protocolViolation)),
      ("R13 bare", 206, [], .stop(.protocolViolation)),
      ("R13 whole", 206, ["Content-Range: bytes 0-99/100"], .write(at: 0, until: 100, total: 100)),
      ("R13 chunked", 206, ["Transfer-Encoding: chunked", "Content-Range: bytes 0-99/100"], .stop(.protocolViolation)),
      ("R28 whole", 206, ["Content-Length: 99", "Content-Range: bytes 0-99/100"], .stop(.protocolViolation)),
      ("R13 gzip", 206, ["Content-Encoding: gzip", "Content-Range: bytes 0-99/100"], .stop(.protocolViolation)),
      ("R15 no loop", 416, ["Content-Range: bytes */0"], .stop(.status)), ("R16", 412, [], .stop(.status)),
      ("H2", 304, [], .stop(.protocolViolation)), ("H7", 404, [], .stop(.status)),
      ("H6", 401, [], .stop(.authentication)),
    ] as [(String, Int, [String], Outcome)])
  func toTheWhole(row: String, status: Int, lines: [String], expected: Outcome) {
    #expect(Outcome(decide(.whole, ResponseHead(status, lines), have: 0, size: nil, Validators())) == expected)
  }
}
