// The message when a job starts over; starting over always ends.

import Testing

@testable import DrayCore

@Suite struct AnswerWordingTests {
  private func decision(_ ask: Ask) -> AnswerDecision {
    AnswerDecision(
      recorded: Checkpoint(
        segments: SegmentSet(0..<40), size: 100, validators: Validators(etag: "\"v1\"", lastModified: "a")),
      asked: ask, subject: "http://h/f", now: 0)
  }

  @Test(
    arguments: [
      (200, ["ETag: \"v2\""], .changed("ETag was \"v1\" and is \"v2\"")),
      (200, ["Last-Modified: b"], .changed("ETag was \"v1\" and is missing")),
      (206, ["ETag: \"v1\"", "Content-Range: bytes 40-98/99"], .changed("its length was 100 bytes and is 99")),
      (206, ["ETag: \"v1\"", "Content-Range: bytes 41-99/100"], .badAnswer("it starts at 41, not at 40")),
      (206, ["ETag: \"v1\""], .badAnswer("Content-Range is missing")),
      (206, ["ETag: \"v1\"", "Content-Encoding: gzip"], .badAnswer("it is compressed")),
      (412, ["ETag: \"v1\""], .changed("status 412")),
    ] as [(Int, [String], StartOver)])
  func reasons(status: Int, lines: [String], expected: StartOver) throws {
    let action = decision(.rest(from: 40, .ifRange("\"v1\""))).action(on: ResponseHead(status, lines))
    switch action {
    case .write(_, _, _, _, let reason), .writeUnlessPage(_, let reason): #expect(reason == expected)
    case .askAgain(let ask, let reason):
      #expect(ask == .whole)
      #expect(reason == expected)
    default: Issue.record("\(action)")
    }
  }

  /// For any answer, the second request asks for the whole or has `If-Match`; the third, if any, asks for the whole.
  @Test func noAnswerMakesALoop() {
    let lines = ["ETag: \"v1\"", "ETag: \"v2\"", "Content-Range: bytes 40-99/100", "Content-Range: bytes */40", "X: y"]
    for status in [200, 204, 206, 304, 403, 412, 416, 503] {
      for first in lines {
        for second in lines {
          let head = ResponseHead(status, first, second)
          var ask = Ask.rest(from: 40, .ifRange("\"v1\""))
          var asked = 1
          while case .askAgain(let next, _) = decision(ask).action(on: head), asked < 10 {
            ask = next
            asked += 1
          }
          #expect(asked <= 3, "\(head)")
        }
      }
    }
  }

  @Test func aBrokenAnswerNamesTheURLAndWhatToDo() throws {
    guard case .stop(let failure) = decision(.whole).action(on: ResponseHead(200, "Content-Length: \u{1B}5")) else {
      Issue.record("not stopped")
      return
    }
    #expect(failure.message(.plain).hasPrefix("http://h/f: the server's answer violates the protocol: Content-Length"))
    #expect(!failure.message(.plain).contains("\u{1B}"))
    #expect(failure.advice != nil)
    #expect(failure.recovery == .keep)
  }
}
