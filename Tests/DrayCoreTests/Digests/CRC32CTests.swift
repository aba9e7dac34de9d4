// The checksum against published values, its definition, and its own joining of stretches.

import CChecksum
import TestSupport
import Testing

@testable import DrayCore

@Suite struct CRC32CTests {
  /// RFC 3720 §B.4, and the check value of the catalogue of CRCs.
  private static let known: [([UInt8], UInt32)] = [
    ([], 0), (Array("123456789".utf8), 0xe306_9283), (Array("a".utf8), 0xc1d0_4330),
    (Array(repeating: 0, count: 32), 0x8a91_36aa), (Array(repeating: 0xff, count: 32), 0x62a8_ab43),
    (Array(0..<32), 0x46dd_794e), (Array((0..<32).reversed()), 0x113f_db5c),
    (
      [
        0x01, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0x04, 0, 0, 0, 0, 0x14, 0, 0, 0,
        0x18,
        0x28, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0, 0,
      ], 0xd996_3a56
    ),
  ]

  @Test(arguments: known)
  func publishedValuesAreMet(bytes: [UInt8], sum: UInt32) {
    #expect(CRC32C(of: bytes).value == sum)
    #expect(byTable(0, bytes) == sum)
  }

  @Test func headersHaveTheMostSignificantByteFirst() {
    #expect(CRC32C(0xe306_9283).bytes == [0xe3, 0x06, 0x92, 0x83])
  }

  /// Lengths around those at which the algorithm changes, at every offset in a word.
  @Test(
    arguments: [
      0, 1, 7, 8, 9, 255, 256, 511, 512, 513, 767, 768, 769, 1023, 1024, 24_575, 24_576, 24_577, 25_344, 70_001,
    ])
  func everyWayComesToTheSame(length: Int) {
    for offset in 0..<8 {
      let bytes = Array(random(length + offset, seed: UInt64(length)).dropFirst(offset))
      let plain = byDefinition(bytes)
      #expect(CRC32C(of: bytes).value == plain)
      #expect(byTable(0, bytes) == plain)
      #expect(byInstruction(0, bytes) == plain)
    }
  }

  /// The sum of a stretch is the same as a whole, in pieces, and from the sums of its pieces.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func piecesComeToTheWhole(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let bytes = self.random(Int.random(in: 0...50_000, using: &random), seed: seed)
    let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
    let pieces = zip([0] + cuts, cuts + [bytes.count]).map { Array(bytes[$0..<$1]) }
    let whole = CRC32C(of: bytes)
    var updated = CRC32C()
    var joined = CRC32C()
    var (table, instruction): (UInt32, UInt32) = (0, 0)
    for piece in pieces {
      piece.withUnsafeBytes { updated.update($0) }
      joined = joined.followed(by: CRC32C(of: piece), CRC32C.Length(Int64(piece.count)))
      table = byTable(table, piece)
      instruction = byInstruction(instruction, piece)
    }
    #expect(updated == whole)
    #expect(joined == whole)
    #expect(table == whole.value && instruction == whole.value)
  }

  /// Lengths that need more than 32 bits: twice 2^40 zeros make 2^41, and an odd count is one more.
  @Test func longStretchesJoin() {
    let one = CRC32C(of: [7])
    let half = CRC32C.Length(1 << 40)
    let zeros = CRC32C.ofZeros(1 << 40)
    let twice = one.followed(by: zeros, half).followed(by: zeros, half)
    #expect(twice == one.followed(by: CRC32C.ofZeros(1 << 41), CRC32C.Length(1 << 41)))
    #expect(
      twice.followed(by: CRC32C(of: [0]), CRC32C.Length(1))
        == one.followed(by: CRC32C.ofZeros(1 << 41 + 1), CRC32C.Length(1 << 41 + 1)))
  }

  /// Any flipped bit is detected.
  @Test func aFlippedBitIsTold() {
    var bytes = random(4096, seed: 1)
    let whole = CRC32C(of: bytes)
    for position in stride(from: 0, to: bytes.count, by: 97) {
      bytes[position] ^= 1 << (position % 8)
      #expect(CRC32C(of: bytes) != whole)
      bytes[position] ^= 1 << (position % 8)
    }
  }

  // MARK: Other ways to the same

  /// Bit by bit.
  private func byDefinition(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0x82f6_3b78 : value >> 1 }
    }
  }

  private func byInstruction(_ sum: UInt32, _ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { dray_crc32c_by_instruction(sum, $0.baseAddress, $0.count) }
  }

  private func byTable(_ sum: UInt32, _ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { dray_crc32c_by_table(sum, $0.baseAddress, $0.count) }
  }

  private func random(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }
}

extension CRC32C {
  /// The checksum of an array.
  init(of bytes: [UInt8]) { self = bytes.withUnsafeBytes { CRC32C(of: $0) } }
}
