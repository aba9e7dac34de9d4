// Checksums of blocks: against the written bytes, in tables for their order, and as bytes.

import Foundation
import TestSupport
import Testing

@testable import DrayCore

@Suite struct BlockSumsTests {
  private static let block = BlockSums.block
  private typealias Extent = BlockSums.Extent

  /// Pieces of a file of 6 blocks from several writers, some written twice, cut like a writer's.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func whatIsKnownIsTrue(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var file = [UInt8](repeating: 0, count: Int(6 * Self.block))
    var (sums, written, rewritten) = (BlockSums(), SegmentSet(), false)
    let mayRepeat = seed % 2 == 0
    var places = (0..<4).map { _ in Int64.random(in: 0..<6 * Self.block, using: &random) }
    for step in 1...120 {
      let hand = Int.random(in: 0..<places.count, using: &random)
      if places[hand] >= 6 * Self.block || !mayRepeat && written.contains(places[hand]..<places[hand] + 1) {
        places[hand] = Int64.random(in: 0..<6 * Self.block, using: &random)
        continue
      }
      let lower = places[hand]
      var upper = min((lower / Self.block + 1) * Self.block, lower + Int64.random(in: 1...200_000, using: &random))
      if !mayRepeat {
        upper = written.segments.first { $0.lowerBound > lower }.map { min(upper, $0.lowerBound) } ?? upper
      }
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: Int(upper - lower))
      file.replaceSubrange(Int(lower)..<Int(upper), with: bytes)
      if !written.clamped(to: lower..<upper).isEmpty { rewritten = true }
      sums.insert(lower..<upper, CRC32C(of: bytes))
      written.insert(lower..<upper)
      places[hand] = upper
    }
    try expectSound(sums)
    for extent in sums.extents {
      #expect(extent.lower / Self.block == (extent.upper - 1) / Self.block)
      #expect(extent.sum == CRC32C(of: Array(file[Int(extent.lower)..<Int(extent.upper)])))
      #expect(written.contains(extent.segment))
    }
    // Coverage is lost only where extents were overwritten.
    #expect(sums.covered == written || rewritten)
    // Adjacent ranges within a block are one extent.
    for (one, next) in zip(sums.extents, sums.extents.dropFirst()) where one.upper == next.lower {
      #expect(next.lower % Self.block == 0 || rewritten)
    }
    #expect(BlockSums(sums.encoded()) == sums)
  }

  @Test func whatIsWrittenAgainReplacesWhatItCovers() {
    var sums = BlockSums()
    for lower in stride(from: Int64(0), to: 3 * Self.block, by: Int(Self.block)) {
      sums.insert(lower..<lower + Self.block, CRC32C(1))
    }
    sums.insert(Self.block..<2 * Self.block, CRC32C(2))
    #expect(sums.extents.map(\.sum.value) == [1, 2, 1])
    sums.insert(100..<200, CRC32C(3))
    #expect(sums.extents.map(\.segment) == [100..<200, Self.block..<2 * Self.block, 2 * Self.block..<3 * Self.block])
    sums.insert(0..<0, CRC32C(4))
    sums.insert(-5..<5, CRC32C(4))
    #expect(sums.extents.count == 3)
    sums.remove(Self.block + 5..<Self.block + 6)
    #expect(sums.extents.map(\.lower) == [100, 2 * Self.block])
  }

  @Test func whatIsAddedLeavesAloneWhatIsKnown() {
    func extent(_ segment: Segment, _ byte: UInt8) -> Extent {
      Extent(segment, CRC32C(of: [UInt8](repeating: byte, count: segment.count)))
    }
    var sums = BlockSums()
    sums.add([extent(100..<200, 1), extent(300..<400, 1)])
    sums.add([
      extent(0..<100, 2), extent(100..<200, 2), extent(150..<250, 2), extent(250..<350, 2), extent(200..<300, 2),
      extent(400..<500, 2),
    ])
    #expect(
      sums.extents == [
        extent(0..<100, 2), extent(100..<200, 1), extent(200..<300, 2), extent(300..<400, 1), extent(400..<500, 2),
      ])
  }

  @Test func whatIsRecordedNoMoreIsForgotten() {
    let sums = sums(of: 4)
    var recorded = SegmentSet(0..<2 * Self.block + 5)
    recorded.insert(3 * Self.block..<4 * Self.block)
    #expect(sums.restricted(to: recorded).extents.map(\.lower) == [0, Self.block, 3 * Self.block])
    #expect(sums.restricted(to: SegmentSet()).isEmpty)
  }

  // MARK: Order

  @Test func theLastWrittenComesFirst() {
    var sums = sums(of: 100)
    #expect(sums.writtenLast(3 * Self.block).map { $0.lower / Self.block } == [99, 98, 97])
    #expect(sums.writtenLast(3 * Self.block + 1).count == 4)
    #expect(sums.writtenLast(0).isEmpty)
    #expect(sums.writtenLast().count == 64)
    #expect(sums.writtenLast(.max).count == 100)
    sums.insert(5 * Self.block..<6 * Self.block, CRC32C(9))
    #expect(sums.writtenLast(2 * Self.block).map { $0.lower / Self.block } == [5, 99])
  }

  /// Several connections write at once: the last writes of each count as recent.
  @Test func everyHandCounts() {
    var sums = BlockSums()
    for step in 0..<40 as Range<Int64> {
      for hand in 0..<8 as Range<Int64> {
        let lower = (hand * 100 + step) * Self.block
        sums.insert(lower..<lower + Self.block, CRC32C(1))
      }
    }
    let last = sums.writtenLast().map { $0.lower / Self.block }
    #expect(Set(last) == Set((0..<8).flatMap { hand in (32..<40).map { Int64(hand * 100 + $0) } }))
  }

  // MARK: Large files

  /// 40 GiB of zeros from five writers: few extents, all correct, and fine ones for the last bytes.
  @Test func largeFilesHaveLargerBlocks() throws {
    var sums = BlockSums()
    let one = CRC32C.ofZeros(Self.block)
    let hands: Int64 = 5
    let share: Int64 = 8 << 10
    var most = 0
    for step in 0..<share {
      for hand in 0..<hands {
        let lower = (hand * share + step) * Self.block
        sums.insert(lower..<lower + Self.block, one)
        most = max(most, sums.extents.count)
      }
    }
    try expectSound(sums)
    #expect(most <= BlockSums.limit + BlockSums.slack + 1)
    #expect(sums.covered == SegmentSet(0..<hands * share * Self.block))
    #expect(sums.extents.allSatisfy { $0.sum == CRC32C.ofZeros($0.count) })
    #expect(sums.writtenLast().allSatisfy { $0.count == Self.block })
    #expect(sums.encoded().count < 40 << 10)
    #expect(BlockSums(sums.encoded()) == sums)
  }

  /// Extents without neighbours cannot be merged, and no further attempts are made.
  @Test func manyGapsAreBorne() throws {
    var sums = BlockSums()
    for index in 0..<Int64(BlockSums.limit + 1000) {
      sums.insert(index * 2 * Self.block..<index * 2 * Self.block + 10, CRC32C(5))
    }
    try expectSound(sums)
    #expect(sums.extents.count == BlockSums.limit + 1000)
  }

  // MARK: As bytes

  /// Newer sums replace recorded ones.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func whatCameSinceIsLaidOver(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var sums = BlockSums()
    var places: [Int64] = [0, 40, 90, 700].map { $0 * Self.block }
    func write(_ count: Int) {
      for _ in 0..<count {
        let hand = Int.random(in: 0..<places.count, using: &random)
        let upper = min(
          (places[hand] / Self.block + 1) * Self.block, places[hand] + Int64.random(in: 1...Self.block, using: &random))
        sums.insert(places[hand]..<upper, CRC32C(UInt32.random(in: 0 ... .max, using: &random)))
        places[hand] = upper
      }
    }
    write(Int.random(in: 0..<200, using: &random))
    let (base, mark) = (sums.encoded(), sums.mark)
    write(Int.random(in: 0..<60, using: &random))
    if seed % 3 == 0 { sums.insert(10 * Self.block..<10 * Self.block + 9, CRC32C(1)) }
    let recent = sums.encoded(since: mark)
    #expect(BlockSums(base, recent: recent) == sums)
    #expect(recent.count <= sums.encoded().count)
  }

  @Test func anExtentTakesFewBytes() {
    #expect(sums(of: 1000).encoded().count < 7 * 1000 + 20)
    #expect(sums(of: 1000).encoded(since: 990).count < 7 * 12 + 20)
  }

  @Test(
    arguments: [
      [], [0], [2, 0, 1], [1], [1, 0], [1, 0, 0], [1, 0, 3], [1, 0x80], [1, 0, 1, 0], [1, 0, 1, 0, 2, 0, 1, 2, 3],
      [1, 0, 1, 0, 0, 0, 1, 2, 3, 4], [1, 0, 1, 5, 1, 0, 1, 2, 3, 4], [1, 0, 1, 0, 2, 1, 1, 2, 3, 4],
      [1] + Array(repeating: 0xFF, count: 20),
      [1, 0, 1] + Array(repeating: 0xFF, count: 8) + [0x7F, 2, 0, 1, 2, 3, 4],
    ] as [[UInt8]])
  func otherBytesAreNone(bytes: [UInt8]) {
    #expect(BlockSums(bytes) == nil)
    #expect(BlockSums(sums(of: 2).encoded(), recent: bytes) == nil)
  }

  @Test func whatIsOlderIsNotLaidOver() {
    #expect(BlockSums(sums(of: 3).encoded(), recent: sums(of: 2).encoded()) == nil)
  }

  // MARK: -

  private func sums(of blocks: Int64) -> BlockSums {
    var sums = BlockSums()
    for index in 0..<blocks { sums.insert(index * Self.block..<(index + 1) * Self.block, CRC32C(UInt32(index))) }
    return sums
  }

  private func expectSound(_ sums: BlockSums) throws {
    #expect(sums.extents.allSatisfy { $0.lower < $0.upper })
    for (one, next) in zip(sums.extents, sums.extents.dropFirst()) { try #require(one.upper <= next.lower) }
  }
}
