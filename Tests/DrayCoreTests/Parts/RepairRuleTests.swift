// The parts of a published file that a repair keeps.

import Testing

@testable import DrayCore

@Suite struct RepairRuleTests {
  @Test(
    arguments: [
      (100, 10, 10, true, true, "pieces"), (100, 10, 10, false, false, "pieces"), (100, 9, 10, true, true, "sums"),
      (100, 9, 10, false, true, "nothing"), (100, nil, 10, false, true, "nothing"), (100, nil, 10, true, false, "sums"),
      (100, nil, 10, false, false, "refused"), (0, 0, 10, false, true, "nothing"),
      (0, nil, 10, false, false, "refused"),
    ] as [(Int64, Int?, Int64, Bool, Bool, String)])
  func theBestKnowledgeIsUsed(
    size: Int64, hashes: Int?, length: Int64, haveSums: Bool, digestIsKnown: Bool, expected: String
  ) {
    let pieces = hashes.map {
      PieceHashes(algorithm: .sha256, length: length, hashes: Array(repeating: "00", count: $0))
    }
    var sums = BlockSums()
    if haveSums { sums.insert(0..<size, CRC32C(1)) }
    let found =
      switch RepairRule.knowledge(size: size, pieces: pieces, sums: sums, digestIsKnown: digestIsKnown) {
      case .pieces: "pieces"
      case .sums: "sums"
      case .nothing: "nothing"
      case nil: "refused"
      }
    #expect(found == expected)
  }

  /// Size, bytes present, good blocks, whether the digest agrees, and the kept bytes; `nil` keeps all of a sound file.
  @Test(
    arguments: [
      (100, 100, "", true, nil), (100, 130, "", true, "0-100"), (100, 100, "0-100", nil, nil),
      (100, 130, "0-100", nil, "0-100"), (100, 100, "0-40,50-100", nil, "0-40,50-100"),
      (100, 100, "0-40,50-100", false, "0-40,50-100"), (100, 60, "0-50", nil, "0-50"), (100, 60, "", false, ""),
      (100, 100, "0-100", false, ""), (0, 0, "", nil, nil), (0, 7, "", true, ""),
    ] as [(Int64, Int64, String, Bool?, String?)])
  func whatStays(size: Int64, present: Int64, good: String, digestAgrees: Bool?, stays: String?) throws {
    let verdict = RepairRule.verdict(
      size: size, present: present, good: try #require(SegmentSet(good)), digestAgrees: digestAgrees)
    #expect(verdict == (stays.flatMap { SegmentSet($0) }.map { .keeps($0) } ?? .sound))
  }

  @Test func theLastPieceMayBeShorter() {
    let pieces = PieceHashes(algorithm: .sha1, length: 40, hashes: ["a", "b", "c"])
    #expect(pieces.pieces(of: 100).map(\.segment) == [0..<40, 40..<80, 80..<100])
    #expect(pieces.pieces(of: 100).map(\.hash) == ["a", "b", "c"])
  }
}
