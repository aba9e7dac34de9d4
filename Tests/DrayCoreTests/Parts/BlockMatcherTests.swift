// Blocks of a file in other files: where they are found, and that nothing else is.

import Testing

@testable import DrayCore

@Suite struct BlockMatcherTests {
  /// The table of a file, computed the plain way.
  static func table(_ file: [UInt8], _ form: BlockTable.Form) -> BlockTable? {
    var sums: [UInt8] = []
    for lower in stride(from: 0, to: file.count, by: form.blockSize) {
      var block = Array(file[lower..<min(file.count, lower + form.blockSize)])
      block += [UInt8](repeating: 0, count: form.blockSize - block.count)
      var (a, b): (UInt16, UInt16) = (0, 0)
      for (index, byte) in block.enumerated() {
        a &+= UInt16(byte)
        b &+= UInt16(truncatingIfNeeded: block.count - index) &* UInt16(byte)
      }
      let weak = [UInt8(a >> 8), UInt8(a & 255), UInt8(b >> 8), UInt8(b & 255)]
      sums += weak.suffix(form.weakBytes) + block.withUnsafeBytes { MD4.of($0) }.prefix(form.strongBytes)
    }
    return BlockTable(form, size: Int64(file.count), bytes: [1, 2, 3] + sums, start: 3)
  }

  static func random(_ count: Int, _ seed: UInt64) -> [UInt8] {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32)
    }
  }

  /// Reads `seed` in windows, and returns the file as far as its blocks were found, with zeros elsewhere.
  private func found(_ matcher: BlockMatcher, _ seed: [UInt8], window: Int, size: Int) -> [UInt8] {
    var file = [UInt8](repeating: 0, count: size)
    let padded = seed + [UInt8](repeating: 0, count: matcher.context)
    var place = 0
    matcher.begin()
    while place + matcher.context <= padded.count {
      let piece = Array(padded[place..<min(padded.count, place + window + matcher.context)])
      let (matches, done) = piece.withUnsafeBytes { matcher.scan($0) }
      for match in matches {
        let count = match.segment.count
        let place = Int(match.segment.lowerBound)
        file.replaceSubrange(place..<place + count, with: piece[match.offset..<match.offset + count])
      }
      #expect(done > 0 && done <= piece.count)
      place += max(1, done)
    }
    return file
  }

  private static let file = random(64 * 40 + 17, 3)

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var seed: [UInt8]
    /// The blocks that must be found, of 41.
    var blocks: Set<Int>
  }

  static let rows: [Row] = [
    Row(testDescription: "the file itself", seed: file, blocks: Set(0...40)),
    Row(testDescription: "moved by one byte", seed: [9] + file, blocks: Set(0...40)),
    Row(testDescription: "nothing", seed: [], blocks: []),
    Row(testDescription: "other bytes", seed: random(4000, 9), blocks: []),
    Row(testDescription: "its second half", seed: Array(file[(64 * 20)...]), blocks: Set(20...40)),
    Row(testDescription: "cut off within a block", seed: Array(file[..<(64 * 10 + 5)]), blocks: Set(0..<10)),
    Row(
      testDescription: "a byte changed", seed: file[..<700] + [file[700] &+ 1] + file[701...],
      blocks: Set(0...40).subtracting([10])),
    Row(
      testDescription: "bytes put in, and others taken out",
      seed: file[..<700] + [1, 2, 3] + file[700..<1500] + file[1520...],
      blocks: Set(0...40).subtracting([10, 23])),
    Row(
      testDescription: "its parts in another order",
      seed: Array(file[1280...]) + [UInt8](repeating: 0, count: 47) + file[..<1280], blocks: Set(0...40)),
  ]

  private static let forms: [BlockTable.Form] = [(1, 4, 16), (1, 3, 8), (2, 2, 5), (2, 4, 3), (1, 1, 16)].compactMap {
    BlockTable.Form(blockSize: 64, run: $0.0, weakBytes: $0.1, strongBytes: $0.2)
  }

  @Test("what is in the seed is found, at any offset and with windows of any length", arguments: rows, forms)
  func finds(_ row: Row, _ form: BlockTable.Form) throws {
    for window in [13, 1 << 20] {
      let matcher = BlockMatcher(try #require(Self.table(Self.file, form)))
      let result = found(matcher, row.seed, window: window, size: Self.file.count)
      var blocks = Set(matcher.segments.flatMap { Int($0.lowerBound) / 64...(Int($0.upperBound) - 1) / 64 })
      // A run of two is needed to begin with, so a single block may be left out; the last one was filled up.
      if form.run == 2 { blocks.formUnion(row.blocks.filter { !row.blocks.contains($0 - 1) || $0 == 40 }) }
      #expect(blocks == row.blocks, "windows of \(window)")
      for segment in matcher.segments {
        let range = Int(segment.lowerBound)..<Int(segment.upperBound)
        #expect(result[range] == Self.file[range])
      }
      let bytes = matcher.segments.reduce(0) { $0 + $1.count }
      #expect(matcher.missing == 41 - (bytes + 63) / 64)
    }
  }

  @Test("equal blocks are all found at once", arguments: forms)
  func repeats(_ form: BlockTable.Form) throws {
    let file = [UInt8](repeating: 0, count: 64 * 100) + Self.file
    let matcher = BlockMatcher(try #require(Self.table(file, form)))
    let result = found(matcher, [UInt8](repeating: 0, count: 200) + Self.file, window: 500, size: file.count)
    #expect(matcher.missing <= 1)
    #expect(result.prefix(64 * 100 + 64 * 40) == file.prefix(64 * 100 + 64 * 40))
  }

  @Test("bytes that are there need not be found")
  func having() throws {
    let form = try #require(Self.forms.first)
    var having = SegmentSet(0..<640)
    having.insert(700..<900)
    let matcher = BlockMatcher(try #require(Self.table(Self.file, form)), having: having)
    // Of the second range, blocks 11 to 13 are whole, and 14 is not.
    #expect(matcher.missing == 41 - 10 - 3)
    #expect(matcher.segments == [0..<640, 704..<896])
  }

  @Test("a table must be complete and within bounds")
  func tables() throws {
    #expect(BlockTable.Form(blockSize: 63, run: 1, weakBytes: 4, strongBytes: 16) == nil)
    #expect(BlockTable.Form(blockSize: 96, run: 1, weakBytes: 4, strongBytes: 16) == nil)
    #expect(BlockTable.Form(blockSize: 2048, run: 3, weakBytes: 4, strongBytes: 16) == nil)
    #expect(BlockTable.Form(blockSize: 2048, run: 0, weakBytes: 4, strongBytes: 16) == nil)
    #expect(BlockTable.Form(blockSize: 2048, run: 1, weakBytes: 5, strongBytes: 16) == nil)
    #expect(BlockTable.Form(blockSize: 2048, run: 1, weakBytes: 4, strongBytes: 2) == nil)
    #expect(BlockTable.Form(blockSize: 8 << 20, run: 1, weakBytes: 4, strongBytes: 16) == nil)
    let form = try #require(BlockTable.Form(blockSize: 64, run: 1, weakBytes: 4, strongBytes: 16))
    #expect(BlockTable(form, size: 65, bytes: [UInt8](repeating: 0, count: 40))?.count == 2)
    #expect(BlockTable(form, size: 65, bytes: [UInt8](repeating: 0, count: 39)) == nil)
    #expect(BlockTable(form, size: 65, bytes: [UInt8](repeating: 0, count: 40), start: 1) == nil)
    #expect(BlockTable(form, size: 0, bytes: []) == nil)
    #expect(BlockTable(form, size: .max, bytes: []) == nil)
  }
}
