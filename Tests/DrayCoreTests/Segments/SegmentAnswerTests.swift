// Decisions about the answer to a request for one segment.

import DrayCore
import Testing

@Suite struct SegmentAnswerTests {
  private static let strong = Validators(etag: "\"v1\"", lastModified: nil, date: nil)
  private static let range = "Content-Range: bytes 100-199/1000"

  private func verdict(_ status: Int, _ lines: [String], _ validators: Validators = strong) -> SegmentAnswer.Verdict {
    SegmentAnswer(asked: 100..<200, size: 1000, validators: validators, subject: "http://h/f", now: 0)
      .verdict(on: ResponseHead(status, lines).framed)
  }

  /// R28: a contradictory answer is not part of the file. An answer without a length is accepted where its bytes are
  /// compared.
  @Test(
    arguments: [
      (["Content-Length: 1000"], false, .wrong("")), (["Content-Length: 1000"], true, .wrong("")),
      (["Content-Length: 99"], false, .wrong("")), (["Content-Length: 100"], false, .write(until: 200)),
      ([], false, .notServed), ([], true, .write(until: 200)),
      (["Transfer-Encoding: chunked"], false, .notServed), (["Transfer-Encoding: chunked"], true, .write(until: 200)),
      (["Transfer-Encoding: chunked", "Content-Length: 1000"], true, .write(until: 200)),
    ] as [([String], Bool, SegmentAnswer.Verdict)])
  func aPartProvesItsLength(lines: [String], isCompared: Bool, expected: SegmentAnswer.Verdict) {
    let answer = SegmentAnswer(
      asked: 100..<200, size: 1000, validators: Self.strong, isCompared: isCompared, subject: "http://h/f", now: 0)
    var verdict = answer.verdict(on: ResponseHead(206, [Self.range, "ETag: \"v1\""] + lines))
    if case .wrong = verdict { verdict = .wrong("") }
    #expect(verdict == expected)
  }

  /// `--retry-status` applies to each connection.
  @Test(arguments: [(403, true), (404, false), (416, false)]) func whatTheUserCountsAsTemporary(
    status: Int, isRetried: Bool
  ) throws {
    let retried = [try #require(StatusPattern("403"))]
    let answer = SegmentAnswer(
      asked: 100..<200, size: 1000, validators: Self.strong, subject: "http://h/f", now: 0, retried: retried)
    let head = ResponseHead(status, ["Content-Length: 0"])
    let first = SegmentAnswer.first(on: head, asked: 0..<1, subject: "http://h/f", now: 0, retried: retried)
    guard case .refused(let failure) = answer.verdict(on: head) else {
      Issue.record("it refuses")
      return
    }
    #expect((failure.recovery == .retry) == isRetried)
    #expect(first == (status == 416 ? .notServed : .refused(failure)))
  }

  @Test func aPartOfTheSameVersionIsWritten() {
    #expect(verdict(206, [Self.range, "ETag: \"v1\""]) == .write(until: 200))
    #expect(verdict(206, ["Content-Range: bytes 100-149/1000", "ETag: \"v1\""]) == .write(until: 150))
    // Bytes beyond the requested end are cut.
    #expect(verdict(206, ["Content-Range: bytes 100-999/1000", "ETag: \"v1\""]) == .write(until: 200))
    #expect(verdict(206, ["Content-Range: bytes 100-199/*", "ETag: \"v1\""]) == .write(until: 200))
  }

  @Test(arguments: [
    (206, ["Content-Range: bytes 100-199/1000", "ETag: \"v2\""]),
    (206, ["Content-Range: bytes 100-199/1001", "ETag: \"v1\""]),
    (200, ["Content-Length: 1000", "ETag: \"v2\""]), (200, ["Content-Length: 999", "ETag: \"v1\""]),
    (416, ["Content-Range: bytes */50"]), (412, []),
  ])
  func anotherVersionIsTold(status: Int, lines: [String]) {
    guard case .differs = verdict(status, lines) else {
      Issue.record("\(verdict(status, lines))")
      return
    }
  }

  @Test(arguments: [
    [], ["ETag: \"v1\""], ["Content-Range: bytes 100-199/1000"], ["Content-Range: bytes 99-199/1000", "ETag: \"v1\""],
    ["Content-Range: bytes 100-199/1000", "ETag: \"v1\"", "Content-Encoding: gzip"],
    ["Content-Range: bytes 100-199/1000", "ETag: \"v1\"", "Content-Type: multipart/byteranges; boundary=x"],
  ])
  func aPartThatBreaksTheRulesIsNotUsed(lines: [String]) {
    guard case .refused(let failure) = verdict(206, lines) else {
      Issue.record("\(verdict(206, lines))")
      return
    }
    #expect(failure.kind == .protocolViolation && failure.advice != nil)
  }

  @Test func theWholeIsNoPart() {
    #expect(verdict(200, ["Content-Length: 1000", "ETag: \"v1\""]) == .conditionRefused)
    let dated = Validators(lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", date: "Mon, 07 Nov 1994 08:49:37 GMT")
    #expect(
      verdict(200, ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Content-Length: 1000"], dated) == .notServed)
    // An error page says nothing about the file.
    #expect(verdict(200, ["Content-Length: 17", "Content-Type: text/html"]) == .notServed)
    #expect(verdict(200, ["Content-Length: 17", "Date: Mon, 07 Nov 1994 08:49:37 GMT"]) == .notServed)
  }

  @Test func aLengthThatNothingTellsIsNoProof() {
    guard case .refused = verdict(206, ["Content-Range: bytes 100-199/*"], Validators()) else {
      Issue.record("a part of a file of unknown length was taken")
      return
    }
  }

  @Test func aRefusalIsAFailureWithItsWait() {
    guard case .refused(let failure) = verdict(429, ["Retry-After: 7"]) else {
      Issue.record("no refusal")
      return
    }
    #expect(failure.retryAfter == 7 && failure.httpStatus == 429)
  }
}
