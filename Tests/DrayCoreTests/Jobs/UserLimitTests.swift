// The limits that a user sets for a job: its time and its size.

import Testing

@testable import DrayCore

@Suite struct UserLimitTests {
  private static let subject = "http://h/f"

  @Test("a file over the limit is refused for good; without a length the limit is checked as bytes arrive")
  func size() {
    let limit = SizeLimit(1000)
    #expect(limit.refusal(ofLength: nil, Self.subject) == nil)
    #expect(limit.refusal(ofLength: 1000, Self.subject) == nil)
    #expect(limit.refusal(after: 1000, Self.subject) == nil)
    for failure in [limit.refusal(ofLength: 1001, Self.subject), limit.refusal(after: 1001, Self.subject)] {
      #expect(failure?.exitStatus == .file && failure?.recovery == .final && failure?.subject == Self.subject)
      #expect(failure?.reason.contains("1000") == true)
    }
  }

  @Test(
    "the head decides, before a byte is written",
    arguments: [(99, true), (100, false), (nil, false)] as [(Int64?, Bool)])
  func head(_ most: Int64?, _ isRefused: Bool) {
    let head = ResponseHead(
      version: "1.1", status: 200, fields: [HeaderField("Content-Length", "100"), HeaderField("ETag", "\"v\"")])
    let action = AnswerDecision(
      recorded: Checkpoint(), asked: .whole, expected: ExpectedFile(maxSize: most.map(SizeLimit.init)),
      subject: Self.subject, now: 0
    ).action(on: head)
    if case .stop(let failure) = action { #expect(isRefused && failure.kind == .file) } else { #expect(!isRefused) }
  }

  @Test(
    "an attempt over its time limit is interrupted, with or without bytes, and not retried automatically",
    arguments: [0, 500] as [Int64])
  func time(kept: Int64) {
    let failure = TimeLimit(90).failure(Self.subject)
    #expect(failure.exitStatus == .network && failure.reason.contains("1 min 30 s"))
    var record = RetryRecord()
    let decision = RetryPolicy(limit: 5).decide(
      failure, record: &record, AttemptFacts.Progress(kept: kept, reached: kept), jitter: 0)
    #expect(decision == .giveUp(.interrupted, failure))
    var choice = MirrorChoice(count: 3)
    #expect(choice.after(failure, hasNewGround: false) == .decide(failure))
  }

  @Test(arguments: [(0.25, "0.25 s"), (1.5, "1.5 s"), (2, "2 s"), (3600, "1 h 00 min")])
  func words(_ seconds: Double, _ text: String) {
    #expect(TimeLimit(seconds).failure(Self.subject).reason.hasSuffix(text))
  }
}
