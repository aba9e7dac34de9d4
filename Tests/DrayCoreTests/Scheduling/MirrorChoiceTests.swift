// The choice of the next mirror, and the bytes that may be kept for it.

import DrayCore
import Testing

@Suite("Mirrors")
struct MirrorChoiceTests {
  private static func failure(_ kind: Failure.Kind, _ recovery: Failure.Recovery) -> Failure {
    Failure(kind, "http://h/f", "\(kind)", recovery: recovery)
  }
  private static let gone = failure(.status, .keep)
  private static let down = failure(.network, .retry)

  @Test("refused mirrors are not used again; after a round the temporarily unavailable one is")
  func rounds() {
    var choice = MirrorChoice(count: 3)
    #expect(choice.after(Self.gone, hasNewGround: false) == .ask(1))
    #expect(choice.after(Self.down, hasNewGround: false) == .ask(2))
    // The last URL is gone, too, so only the unavailable one is left.
    guard case .decide(let told) = choice.after(Self.gone, hasNewGround: false) else {
      Issue.record("no decision")
      return
    }
    #expect(told.kind == .network && told.recovery == .retry && told.reason.contains("other URLs"))
    #expect(choice.current == 1)
    // All further requests go to it.
    guard case .decide = choice.after(Self.down, hasNewGround: false) else {
      Issue.record("another was asked")
      return
    }
    #expect(choice.current == 1)
  }

  @Test("all refused: the end")
  func allGone() {
    var choice = MirrorChoice(count: 2)
    #expect(choice.after(Self.gone, hasNewGround: false) == .ask(1))
    guard case .decide(let told) = choice.after(Self.gone, hasNewGround: false) else {
      Issue.record("no decision")
      return
    }
    #expect(told.recovery == .keep && told.kind == .status)
  }

  @Test("a name that does not exist is not asked again; a server that can be reached goes before a closed port")
  func unreachable() {
    var choice = MirrorChoice(count: 3)
    var (unknown, closed) = (Self.down, Self.down)
    (unknown.obstacle, closed.obstacle) = (.unknownName, .refusedPort)
    #expect(choice.after(unknown, hasNewGround: false) == .ask(1))
    #expect(choice.after(closed, hasNewGround: false) == .ask(2))
    guard case .decide(let told) = choice.after(Self.down, hasNewGround: false) else {
      Issue.record("no decision")
      return
    }
    #expect(told.obstacle == nil && choice.current == 2)
  }

  @Test("new ground keeps its server its turn")
  func newGround() {
    var choice = MirrorChoice(count: 2)
    #expect(choice.after(Self.down, hasNewGround: true) == .decide(Self.down))
    #expect(choice.current == 0)
  }

  @Test(
    "failures that no other server can repair",
    arguments: [failure(.file, .wait), failure(.store, .keep), failure(.usage, .final), failure(.other, .retry)])
  func notTheirs(_ failure: Failure) {
    var choice = MirrorChoice(count: 2)
    #expect(choice.after(failure, hasNewGround: false) == .decide(failure))
  }

  @Test("without mirrors nothing changes")
  func alone() {
    var choice = MirrorChoice(count: 1)
    #expect(choice.after(Self.gone, hasNewGround: false) == .decide(Self.gone))
  }

  @Test("bytes of another URL need the digest and the size, or the same strong ETag; a date is not enough")
  func bytes() throws {
    let validators = Validators(etag: "\"v\"", lastModified: "Sat, 01 Feb 2025 00:00:00 GMT")
    let recorded = Checkpoint(segments: SegmentSet(0..<100), size: 200, validators: validators)
    var options = JobOptions()
    #expect(MirrorChoice.checkpoint(recorded, isOfOther: true, options) == recorded)
    options.mirrors = [try RequestURL.parse("http://m/f").url]
    #expect(MirrorChoice.checkpoint(recorded, isOfOther: false, options) == recorded)
    #expect(MirrorChoice.checkpoint(recorded, isOfOther: true, options).validators == Validators(etag: "\"v\""))
    options.digest = DigestValue(.md5, bytes: Array(repeating: 0, count: 16))
    #expect(MirrorChoice.checkpoint(recorded, isOfOther: true, options).validators == Validators())
    options.digest = nil
    var dated = recorded
    dated.validators.etag = nil
    let carried = MirrorChoice.checkpoint(dated, isOfOther: true, options)
    #expect(Ask.first(for: carried, mode: .safe, digestIsKnown: false).0 == .whole)
  }
}

@Suite("Expected sizes")
struct ExpectedSizeTests {
  @Test(
    "an answer of another length is refused, one of no length is let through",
    arguments: [("10", true), ("11", false), (nil, true)])
  func lengths(_ length: String?, _ isTaken: Bool) {
    let decision = AnswerDecision(
      recorded: Checkpoint(), asked: .whole, expected: ExpectedFile(size: 10), subject: "http://h/f", now: 0)
    let head = ResponseHead(status: 200, fields: length.map { [HeaderField("Content-Length", $0)] } ?? [])
    switch decision.action(on: head) {
    case .write: #expect(isTaken)
    case .stop(let failure): #expect(!isTaken && failure.kind == .integrity && failure.recovery == .keep)
    default: Issue.record("neither written nor stopped")
    }
  }
}
