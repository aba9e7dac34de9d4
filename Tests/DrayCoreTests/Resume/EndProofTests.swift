// Ends of answers without length over HTTP/2, which may be resets (R42).

import Testing

@testable import DrayCore

@Suite struct EndProofTests {
  /// The ends of consecutive answers, and whether each must be confirmed by another request.
  @Test(
    arguments: [
      ([100], true, [true]), ([100, 100], true, [true, false]), ([100, 200, 200], true, [true, true, false]),
      ([1, 2, 3, 4], true, [true, true, true, false]), ([0], true, [false]), ([100], false, [false]),
    ] as [([Int64], Bool, [Bool])])
  func ends(_ ends: [Int64], mayAsk: Bool, asked: [Bool]) {
    var proof = EndProof()
    let found = ends.map { proof.mustAsk(at: $0, mayAsk: mayAsk) }
    #expect(found == asked)
  }

  /// The first request is made over HTTP/1.1, whose framing shows the end, unless the user chose a version, or the server
  /// does not speak it.
  @Test func theFirstRequestUsesHTTP1() {
    var proof = EndProof()
    let isAsked = proof.mustAsk(at: 100, mayAsk: true)
    #expect(isAsked && proof.isOverHTTP1 && !proof.isBroken)
    let isRepeated = proof.mayAskAgain()
    #expect(isRepeated && !proof.isOverHTTP1)
    let isRepeatedTwice = proof.mayAskAgain()
    #expect(!isRepeatedTwice)
    var chosen = EndProof()
    let isAskedToo = chosen.mustAsk(at: 100, mayAsk: true, isBroken: true, isFree: false)
    #expect(isAskedToo && !chosen.isOverHTTP1 && chosen.isBroken)
  }

  enum Outcome: Equatable {
    case write(at: Int64, until: Int64?, comparing: Int64)
    case complete, unproved, cut, other

    init(_ action: AnswerAction) {
      switch action {
      case .write(let at, let until, _, let comparing, nil): self = .write(at: at, until: until, comparing: comparing)
      case .complete: self = .complete
      case .endUnproved: self = .unproved
      case .stop(let failure) where failure.kind == .network && failure.recovery == .retry: self = .cut
      default: self = .other
      }
    }
  }

  /// 8,000 bytes ended without an error; the request repeats the last 1,024.
  @Test(
    arguments: [
      (206, ["Content-Range: bytes 6976-7999/8000"], .write(at: 6976, until: 8000, comparing: 1024)),
      (206, ["Content-Range: bytes 6976-8999/9000"], .write(at: 6976, until: 9000, comparing: 1024)),
      (206, ["Content-Range: bytes 0-7999/8000"], .unproved), (206, [], .unproved),
      (206, ["Content-Range: bytes 6976-7999/*"], .unproved),
      (416, ["Content-Range: bytes */8000"], .complete), (416, ["Content-Range: bytes */9000"], .cut),
      (416, ["Content-Range: bytes */7000"], .unproved), (416, [], .unproved),
      (200, [], .write(at: 0, until: nil, comparing: 8000)),
      (200, ["Content-Length: 9000"], .write(at: 0, until: 9000, comparing: 8000)),
      (200, ["Content-Length: 7000"], .unproved), (200, ["ETag: \"other\""], .unproved),
      (403, [], .unproved), (404, [], .unproved), (503, [], .unproved), (304, [], .unproved),
    ] as [(Int, [String], Outcome)])
  func answers(status: Int, fields: [String], outcome: Outcome) {
    let etag = fields.contains { $0.contains("other") } ? "\"v\"" : nil
    let recorded = Checkpoint(segments: SegmentSet(0..<8000), validators: Validators(etag: etag))
    var decision = AnswerDecision(
      recorded: recorded, asked: .rest(from: 6976, .overlap(1024)), subject: "u", now: 0)
    decision.doubtedEnd = 8000
    #expect(Outcome(decision.action(on: ResponseHead(status, fields).framed)) == outcome)
  }
}
