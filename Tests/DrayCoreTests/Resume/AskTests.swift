// The first request of a job: the first half of the resume ladder.

import Testing

@testable import DrayCore

@Suite struct AskTests {
  static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let later = "Sun, 06 Nov 1994 08:49:38 GMT"
  static let strong = Validators(etag: "\"v1\"", lastModified: modified, date: later)
  static let weak = Validators(etag: "W/\"v1\"", lastModified: modified, date: later)
  static let dated = Validators(lastModified: modified, date: later)
  static let fresh = Validators(lastModified: modified, date: modified)

  static let have: Int64 = 100_000
  static let overlap = Ask.rest(from: have - 65_536, .overlap(65_536))
  static func tied(_ validator: String) -> Ask { .rest(from: have - 65_536, .overlap(65_536, ifRange: validator)) }

  @Test(
    arguments: [
      ("R1", strong, .safe, false, tied("\"v1\""), nil),
      ("R1 always", strong, .always, false, tied("\"v1\""), nil),
      ("R18", dated, .safe, false, tied(modified), nil),
      ("R17 weak ETag", Validators(etag: "W/\"v1\""), .safe, false, .whole, .unidentified),
      ("R17 weak ETag outranks a date", weak, .safe, false, .whole, .unidentified),
      ("R17 no Date", Validators(lastModified: modified), .safe, false, .whole, .unidentified),
      ("R17 Date of the same second", fresh, .safe, false, .whole, .unidentified),
      ("R17 nothing", Validators(), .safe, false, .whole, .unidentified),
      ("R17 always", weak, .always, false, overlap, nil),
      ("R17 always, nothing", Validators(), .always, false, overlap, nil),
      ("R17 digest", weak, .safe, true, overlap, nil),
      ("never", strong, .never, true, .whole, .asked),
    ] as [(String, Validators, ResumeMode, Bool, Ask, StartOver?)])
  func ladder(
    row: String, validators: Validators, mode: ResumeMode, digest: Bool, ask: Ask, reason: StartOver?
  ) {
    let checkpoint = Checkpoint(segments: SegmentSet(0..<AskTests.have), validators: validators)
    let (asked, why) = Ask.first(for: checkpoint, mode: mode, digestIsKnown: digest)
    #expect(asked == ask)
    #expect(why == reason)
  }

  /// R27: a job requests the first gap, and no more than the gap.
  @Test(
    arguments: [
      (SegmentSet(), .whole), (SegmentSet(5..<90), .rest(from: 0, to: 5, .ifRange("\"v1\""))),
      (SegmentSet("0-10,20-90"), .rest(from: 0, to: 20, .overlap(10, ifRange: "\"v1\""))),
    ] as [(SegmentSet?, Ask)])
  func theFirstGapIsAskedFor(segments: SegmentSet?, expected: Ask) throws {
    let checkpoint = Checkpoint(segments: try #require(segments), size: 100, validators: AskTests.strong)
    let (asked, why) = Ask.first(for: checkpoint, mode: .safe, digestIsKnown: false)
    #expect(asked == expected)
    #expect(why == nil)
  }

  /// P18: an answer that ended normally was not cut, so its last bytes need no proof.
  @Test func aJointBehindAnAnswerThatEndedNeedsNoProof() {
    let checkpoint = Checkpoint(segments: SegmentSet(0..<AskTests.have), validators: AskTests.strong)
    let (asked, why) = Ask.first(for: checkpoint, mode: .safe, digestIsKnown: false, isUncut: true)
    #expect(asked == .rest(from: AskTests.have, .ifRange("\"v1\"")) && why == nil)
  }

  /// Compressed bytes cannot be continued: the offset would be one in the compressed file.
  @Test func whatWasCompressedIsFetchedAnew() throws {
    let url = try RequestURL.parse("http://h/f").url
    let checkpoint = Checkpoint(
      segments: SegmentSet(0..<AskTests.have), validators: AskTests.strong,
      provenance: Provenance(url: url, codings: ["gzip"]))
    let (asked, why) = Ask.first(for: checkpoint, mode: .safe, digestIsKnown: false)
    #expect(asked == .whole && why == .coded(["gzip"]))
  }

  @Test func aShortFileIsComparedFromItsStart() {
    let checkpoint = Checkpoint(segments: SegmentSet(0..<10))
    #expect(Ask.first(for: checkpoint, mode: .always, digestIsKnown: false).0 == .rest(from: 0, .overlap(10)))
  }

  /// Before a gap at the start nothing can be compared: later bytes stay only if a digest is known.
  @Test(
    arguments: [
      (true, .rest(from: 0, to: 5, .unconditional), nil), (false, .whole, .unidentified),
    ] as [(Bool, Ask, StartOver?)])
  func aGapAtTheStartNeedsADigest(digest: Bool, ask: Ask, reason: StartOver?) {
    let checkpoint = Checkpoint(segments: SegmentSet(5..<90), size: 100)
    let (asked, why) = Ask.first(for: checkpoint, mode: .always, digestIsKnown: digest)
    #expect(asked == ask && why == reason)
  }

  @Test(
    arguments: [
      (.rest(from: 70_000, .ifRange("\"v\"")), .rest(from: 4464, .overlap(65_536, ifRange: "\"v\""))),
      (.rest(from: 9, to: 20, .unconditional), .rest(from: 0, to: 20, .overlap(9))),
      (.rest(from: 9, .ifMatch("\"v\"")), .rest(from: 0, .overlap(9, ifMatch: "\"v\""))),
      (.rest(from: 0, .unconditional), nil), (.rest(from: 9, .overlap(9)), .rest(from: 9, .overlap(9))), (.whole, nil),
    ] as [(Ask, Ask?)])
  func whatHasToProveItselfIsAskedForWithAnOverlap(ask: Ask, compared: Ask?) {
    let found = ask.compared(after: nil)
    #expect(found == compared && found?.isCompared ?? true)
  }

  @Test(
    arguments: [
      (.whole, [], 0), (.rest(from: 7, .unconditional), ["Range: bytes=7-"], 7),
      (.rest(from: 7, .ifRange("\"v\"")), ["Range: bytes=7-", "If-Range: \"v\""], 7),
      (.rest(from: 7, .ifMatch("\"v\"")), ["Range: bytes=7-", "If-Match: \"v\""], 7),
      (.rest(from: 7, .overlap(9, ifMatch: "\"v\"")), ["Range: bytes=7-", "If-Match: \"v\""], 7),
      (.rest(from: 5_000_000_000, .overlap(9)), ["Range: bytes=5000000000-"], 5_000_000_000),
    ] as [(Ask, [String], Int64)])
  func fields(ask: Ask, expected: [String], lower: Int64) {
    #expect(ask.fields.map { "\($0.name): \($0.value)" } == expected)
    #expect(ask.lower == lower)
  }
}
