// Decides which answers continue kept bytes, by provenance, request and head of the answer (P2, P16, P18).

import Testing

@testable import DrayCore

@Suite struct ContinuationTests {
  static let length: Int64 = 10 << 20
  static let block = Joint.overlap

  private func rule(
    from recordedURL: String?, at answering: String, kept: SegmentSet = SegmentSet(0..<length), codings: [String] = [],
    isImported: Bool = false, isProved: Bool = false
  ) throws -> ContinuationRule {
    let provenance = try recordedURL.map {
      Provenance(url: try RequestURL.parse($0).url, codings: codings, isImported: isImported)
    }
    let recorded = Checkpoint(
      segments: kept, size: 2 * Self.length, validators: Validators(etag: "\"v1\""), provenance: provenance)
    return ContinuationRule(
      recorded: recorded, repeated: max(0, kept.end - Self.block)..<kept.end,
      answering: try RequestURL.parse(answering).url, isProved: isProved)
  }

  private static let same = ResponseHead(206, ["ETag: \"v1\""])
  private static let places = [0..<block, (length - block) / 2..<(length + block) / 2]

  @Test func theSameURLContinues() throws {
    #expect(try rule(from: "http://a/f", at: "http://a/f").verdict(on: Self.same, total: 2 * Self.length) == .continues)
  }

  /// R33, R36: an entity tag is valid for its own URL only.
  @Test(
    arguments: [
      ("http://a/f", "http://b/f", false), ("http://a/f", "http://a/g", false),
      ("http://a/f?sig=1", "http://a/f?sig=2", false),
      ("http://a/f", "http://a/f", true), (nil, "http://a/f", false),
    ] as [(String?, String, Bool)])
  func anotherURLIsComparedFirst(recorded: String?, answering: String, isImported: Bool) throws {
    var rule = try rule(from: recorded, at: answering, isImported: isImported)
    #expect(rule.verdict(on: Self.same, total: 2 * Self.length) == .afterComparison(Self.places))
    rule.isProved = true
    #expect(rule.verdict(on: Self.same, total: 2 * Self.length) == .continues)
  }

  @Test func whatTheOverlapCoversIsNotComparedTwice() throws {
    let small = try rule(from: "http://a/f", at: "http://b/f", kept: SegmentSet(0..<40_000))
    #expect(small.verdict(on: Self.same, total: 2 * Self.length) == .continues)
    let two = try rule(from: "http://a/f", at: "http://b/f", kept: SegmentSet(0..<100_000))
    #expect(two.verdict(on: Self.same, total: 2 * Self.length) == .afterComparison([0..<34_464]))
  }

  /// R34: under one strong ETag, too.
  @Test(arguments: [([], ["Content-Encoding: gzip"]), (["gzip"], [])] as [([String], [String])])
  func anotherCodingIsAnotherVersion(recorded: [String], lines: [String]) throws {
    let rule = try rule(from: "http://a/f", at: "http://a/f", codings: recorded)
    guard
      case .startOver(.changed(let how)) = rule.verdict(
        on: ResponseHead(206, ["ETag: \"v1\""] + lines), total: 2 * Self.length)
    else {
      Issue.record("it does not start over")
      return
    }
    #expect(how.contains("gzip"))
  }

  @Test(arguments: [(["ETag: \"v2\""], 2 * length), (["ETag: \"v1\""], length)] as [([String], Int64)])
  func anotherVersionStartsOver(lines: [String], total: Int64) throws {
    let verdict = try rule(from: "http://a/f", at: "http://b/f").verdict(on: ResponseHead(206, lines), total: total)
    guard case .startOver(.changed) = verdict else {
      Issue.record("it does not start over: \(verdict)")
      return
    }
  }

  /// P18: the joint moves back by 0, 1 MiB, 8 MiB, and then to the start of its run.
  @Test(
    arguments: [
      (0..<20 << 20, 0, 20 << 20), (0..<20 << 20, 1, 19 << 20), (0..<20 << 20, 2, 12 << 20), (0..<20 << 20, 3, 0),
      (100..<1000, 1, 100), (100..<1000, 9, 100),
    ] as [(Segment, Int, Int64)])
  func theJointMovesBack(run: Segment, step: Int, end: Int64) {
    #expect(Joint.end(of: run, after: step) == end)
  }

  @Test func whatIsComparedBeforeAJointStaysInItsRun() {
    #expect(Joint.compared(before: 1 << 20, in: 0..<1 << 20) == (1 << 20) - Self.block..<1 << 20)
    #expect(Joint.compared(before: 500, in: 100..<500) == 100..<500)
    #expect(Joint.compared(before: 100, in: 100..<500).isEmpty)
  }
}
