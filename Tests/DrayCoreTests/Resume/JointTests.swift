// How many bytes before a joint are compared, and what counts as progress (P13, P18).

import Testing

@testable import DrayCore

@Suite struct JointTests {
  private static let (kib, mib): (Int64, Int64) = (1 << 10, 1 << 20)

  /// An eighth of what the last connection gave, from 1 to 64 KiB.
  @Test(
    arguments: [
      (nil, 64 * kib), (mib, 64 * kib), (512 * kib, 64 * kib), (512 * kib - 8, 64 * kib - 1), (80_000, 10_000),
      (20_000, 2_500), (8 * kib, kib), (8 * kib - 1, kib), (1, kib), (0, kib),
    ] as [(Int64?, Int64)])
  func theOverlapIsInProportion(given: Int64?, overlap: Int64) {
    #expect(Joint.overlap(after: given) == overlap)
    #expect(Joint.compared(before: 10 * Self.mib, in: 0..<10 * Self.mib, after: given).count == Int(overlap))
    // At most as far as the run reaches.
    #expect(Joint.compared(before: 500, in: 100..<500, after: given) == 100..<500)
  }

  /// How many new bytes are progress for a connection that repeated `compared` bytes.
  @Test(
    arguments: [
      (1, 64 * kib, true), (0, 64 * kib, false), (kib, kib, true), (kib - 1, kib, false), (17_500, 2_500, true),
      (1, kib, false), (64 * kib - 1, 1, true), (kib, 0, true), (100, 64 * kib - 101, false),
    ] as [(Int64, Int64, Bool)])
  func progress(new: Int64, compared: Int64, isProgress: Bool) {
    #expect(Joint.isProgress(new, compared: compared) == isProgress)
  }

  /// Connections that break after this many bytes: whether they advance, and how much is sent for a file of 2 MiB.
  @Test(
    arguments: [(500, false), (1_000, false), (2_100, true), (20_000, true), (80_000, true), (1 << 20, true)]
      as [(Int64, Bool)])
  func aLineThatBreaksOffAdvances(gives: Int64, advances: Bool) {
    let size = 2 * Self.mib
    var (reached, sent, connections): (Int64, Int64, Int64) = (gives, gives, 1)
    while reached < size {
      let overlap = Int64(Joint.compared(before: reached, in: 0..<reached, after: gives).count)
      let new = min(size - reached, gives - overlap)
      sent += overlap + max(0, new)
      connections += 1
      guard new > 0, Joint.isProgress(new, compared: overlap) || reached + new == size else { break }
      reached += new
    }
    #expect((reached == size) == advances)
    #expect(connections <= size / Self.kib)
    if gives >= 20_000 { #expect(sent * 10 <= size * 16) }
  }

  /// Without a validator or a digest, only the overlap proves the version, and it is not shortened (P2).
  @Test(arguments: [(true, false, 2_500), (false, true, 2_500), (false, false, 65_536)] as [(Bool, Bool, Int64)])
  func theProofOfAVersionIsNotShortened(hasETag: Bool, digestIsKnown: Bool, overlap: Int64) {
    let checkpoint = Checkpoint(
      segments: SegmentSet(0..<500_000), size: 1_000_000, validators: Validators(etag: hasETag ? "\"v\"" : nil))
    let (ask, reason) = Ask.first(for: checkpoint, mode: .always, digestIsKnown: digestIsKnown, given: 20_000)
    #expect(ask.lower == 500_000 - overlap && Int64(ask.repeated.count) == overlap && reason == nil)
  }

  /// After an answer that ended within its overlap, the next request has a shorter one, unless the overlap is the only
  /// proof.
  @Test(
    arguments: [
      ("\"v\"", 30_000, .rest(from: 96_250, .overlap(3_750, ifRange: "\"v\""))),
      ("\"v\"", 100, .rest(from: 98_976, .overlap(1_024, ifRange: "\"v\""))), (nil, 30_000, nil),
    ] as [(String?, Int64, Ask?)])
  func anAnswerWithinTheOverlap(etag: String?, count: Int64, next: Ask?) {
    let asked = Ask.rest(from: 100_000 - 65_536, .overlap(65_536, ifRange: etag))
    let recorded = Checkpoint(
      segments: SegmentSet(0..<100_000), size: 1_000_000, validators: Validators(etag: etag))
    let last = asked.lower + count - 1
    let head = ResponseHead(
      206, (etag.map { ["ETag: \($0)"] } ?? []) + ["Content-Range: bytes \(asked.lower)-\(last)/1000000"])
    let action = AnswerDecision(recorded: recorded, asked: asked, subject: "u", now: 0).action(on: head.framed)
    #expect(action == next.map { .askAgain($0, nil) } ?? .askAgain(.whole, .badAnswer("it is too short to compare")))
  }
}
