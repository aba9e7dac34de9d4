// Files whose servers refuse the whole (R41).

import Testing

@testable import DrayCore

@Suite struct RangedFetchTests {
  private static let refusal = Failure(.status, "u", "the server answered 413", httpStatus: 413, recovery: .keep)
  private static let other = Failure(.authentication, "u", "403 Forbidden", httpStatus: 403, recovery: .keep)
  private static let first = Ask.rest(from: 0, to: 1 << 20, .unconditional)
  private static let rest = Ask.rest(from: 1 << 20, .ifRange("\"v\""))
  private static let good = AnswerAction.write(at: 0, until: 1 << 20, total: 1 << 30)
  private static let refused = AnswerAction.askAgain(.whole, .rangeRefused("413"))

  @Test(
    arguments: [
      (413, .whole, "GET", "", true), (400, .whole, "GET", "", true), (416, .whole, "GET", "", true),
      (501, .whole, "GET", "", true), (502, .whole, "GET", "", true),
      (403, .whole, "GET", "", false), (404, .whole, "GET", "", false), (500, .whole, "GET", "", false),
      (503, .whole, "GET", "", false), (413, .whole, "POST", "", false), (413, .whole, "PUT", "", false),
      // What is on disk must not be mixed with ranges of another version (P2).
      (413, .whole, "GET", "0-10", false), (413, rest, "GET", "", false),
    ] as [(Int, Ask, String, String, Bool)])
  func refusals(status: Int, asked: Ask, method: String, kept: String, mayRefuse: Bool) {
    let kept = SegmentSet(kept) ?? SegmentSet()
    #expect(RangedFetch.mayRefuseWhole(status, to: asked, method: method, kept: kept) == mayRefuse)
  }

  /// Any answer to the first range but a good part means the first error.
  @Test(
    arguments: [
      (206, good, good), (413, refused, .stop(refusal)), (403, .stop(other), .stop(refusal)),
      (200, good, .stop(refusal)), (206, .askAgain(.whole, .badAnswer("x")), .stop(refusal)),
    ] as [(Int, AnswerAction, AnswerAction)])
  func theFirstRange(status: Int, action: AnswerAction, next: AnswerAction) {
    var ranges = RangedFetch(after: Self.refusal, known: nil)
    #expect(ranges.ask(.whole) == Self.first)
    #expect(ranges.next(status, asked: Self.first, action) == next)
    #expect(ranges.served == (next == Self.good ? 1 << 20 : nil))
  }

  /// Ranges grow until one is refused; then they are halved, and stay.
  @Test func theLengthThatWorks() {
    var ranges = RangedFetch(after: Self.refusal, known: nil)
    _ = ranges.next(206, asked: Self.first, Self.good)
    #expect(ranges.ask(Self.rest) == .rest(from: 1 << 20, to: 3 << 20, .ifRange("\"v\"")))
    let again = ranges.next(413, asked: ranges.ask(Self.rest), Self.refused)
    #expect(again == .askAgain(Self.rest, nil))
    #expect(ranges.ask(Self.rest) == .rest(from: 1 << 20, to: 2 << 20, .ifRange("\"v\"")))
    _ = ranges.next(206, asked: Self.rest, Self.good)
    #expect(ranges.length == 1 << 20 && ranges.served == 1 << 20)
    // Down to the least length, then the answer decides.
    var refusals = 0
    while ranges.next(413, asked: Self.rest, Self.refused) != Self.refused { refusals += 1 }
    #expect(refusals == 4 && ranges.length == 64 << 10)
  }

  @Test(
    arguments: [
      (nil, 0, 1 << 20), (512 << 10, 0, 512 << 10), (1 << 30, 0, 1 << 20), (nil, 64 << 10, 1 << 20),
      (64 << 10, 64 << 10, 128 << 10),
    ] as [(Int64?, Int64, Int64)])
  func eachRangeBringsNewBytes(known: Int64?, overlap: Int64, length: Int64) {
    let ranges = RangedFetch(after: Self.refusal, known: known)
    let asked = Ask.rest(from: 100, overlap == 0 ? .unconditional : .overlap(overlap))
    #expect(ranges.ask(asked).fields.first?.value == "bytes=100-\(99 + length)")
    // A gap that ends earlier stays as it is.
    #expect(ranges.ask(.rest(from: 100, to: 200, .unconditional)) == .rest(from: 100, to: 200, .unconditional))
  }
}
