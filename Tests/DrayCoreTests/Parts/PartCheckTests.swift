// The parts of a part file that are compared with checksums, and the bytes that may be kept.

import Testing

@testable import DrayCore

@Suite struct PartCheckTests {
  private static let block = BlockSums.block

  /// Checksums of blocks `0..<count`, written in their order.
  private func sums(_ count: Int64, besides left: Set<Int64> = []) -> BlockSums {
    var sums = BlockSums()
    for index in 0..<count where !left.contains(index) {
      sums.insert(index * Self.block..<(index + 1) * Self.block, CRC32C(UInt32(index)))
    }
    return sums
  }

  private func blocks(_ extents: [BlockSums.Extent]) -> [Int64] { extents.map { $0.lower / Self.block } }

  @Test func theLastIsComparedFirst() {
    let check = PartCheck(recorded: SegmentSet(0..<100 * Self.block), sums: sums(100))
    #expect(blocks(check.first) == (36..<100).reversed().map { Int64($0) })
    #expect(blocks(check.rest) == (0..<36).map { Int64($0) })
  }

  @Test func allIsComparedWhereSomebodyWasSeenAtIt() {
    let check = PartCheck(recorded: SegmentSet(0..<100 * Self.block), sums: sums(100), isSuspect: true)
    #expect(check.first.count == 100 && check.rest.isEmpty)
  }

  @Test func whatIsNotRecordedIsNotCompared() {
    let check = PartCheck(recorded: SegmentSet(0..<2 * Self.block + 7), sums: sums(4))
    #expect(blocks(check.first) == [1, 0] && check.rest.isEmpty)
    #expect(PartCheck(recorded: SegmentSet(), sums: sums(4)).isEmpty)
    #expect(PartCheck(recorded: SegmentSet(0..<9), sums: BlockSums()).isEmpty)
  }

  /// Recorded blocks, blocks without a checksum, bad blocks, and the kept bytes.
  @Test(
    arguments: [
      (4, [], [], "0-4"), (4, [2], [], "0-4"), (4, [], [3], "0-3"), (4, [], [1], "0-1,2-4"),
      (4, [], [0, 1, 2, 3], ""), (4, [1], [3], "0-1,2-3"), (1, [], [0], ""),
    ] as [(Int64, Set<Int64>, [Int], String)])
  func whatIsKept(recorded: Int64, unknown: Set<Int64>, bad: [Int], kept: String) throws {
    let check = PartCheck(recorded: SegmentSet(0..<recorded * Self.block), sums: sums(recorded, besides: unknown))
    let all = check.first + check.rest
    let (segments, sums) = check.kept(without: all.filter { bad.contains(Int($0.lower / Self.block)) })
    var expected = SegmentSet()
    for segment in try #require(SegmentSet(kept)).segments {
      expected.insert(segment.lowerBound * Self.block..<segment.upperBound * Self.block)
    }
    #expect(segments == expected)
    #expect(sums.extents.allSatisfy { segments.contains($0.segment) && !bad.contains(Int($0.lower / Self.block)) })
  }
}
