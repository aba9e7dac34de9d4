// Numbers from outside at the limits of their types: nothing traps (D11).

import DrayCore
import Testing

@Suite struct SaturationTests {
  @Test(
    arguments: [
      (1, 2, 3, -1, 2), (.max, 1, .max, .max - 1, .max), (.min, -1, .min, .min + 1, .max), (.max, .max, .max, 0, .max),
      (.min, .max, -1, .min, .min), (.max, -1, .max - 1, .max, -.max), (0, .min, .min, .max, 0),
      (.min, 2, .min + 2, .min, .min),
    ] as [(Int64, Int64, Int64, Int64, Int64)])
  func signedNumbers(_ one: Int64, _ other: Int64, _ sum: Int64, _ difference: Int64, _ product: Int64) {
    #expect(one.saturatingSum(other) == sum)
    #expect(one.saturatingDifference(other) == difference)
    #expect(one.saturatingProduct(other) == product)
  }

  @Test func numbersWithoutASign() {
    #expect(UInt64.max.saturatingSum(1) == .max)
    #expect(UInt64(1).saturatingDifference(2) == 0)
    #expect(UInt64.max.saturatingProduct(4096) == .max)
  }

  @Test(
    arguments: [
      (0, 0), (1.9, 1), (-1.9, -1), (.infinity, .max), (-.infinity, .min), (.nan, 0), (1e300, .max), (-1e300, .min),
      (0x1p63, .max), (-0x1p63, .min),
    ] as [(Double, Int64)])
  func realNumbers(_ value: Double, _ expected: Int64) {
    #expect(Int64(saturating: value) == expected)
    #expect(Int(saturating: value) == Int(expected))
  }

  /// The years 1600, 1677, 1970, 2262, 3000 and the limits of 64-bit seconds.
  @Test(
    arguments: [
      Int.min, -11_676_096_000, -9_223_372_037, -9_223_372_036, 0, 9_223_372_036, 9_223_372_037, 32_503_680_000,
      Int.max,
    ] as [Int])
  func timesOfFiles(_ seconds: Int) {
    let time = FileIdentity.nanoseconds(seconds: seconds, fraction: 999_999_999)
    #expect((time < 0) == (seconds < 0))
    let found = FileIdentity(device: 1, inode: 2, size: 3, modified: time)
    #expect(found.isUnchanged(since: found))
    for other in [Int64.min, -1, 0, 1, .max] where other != time {
      _ = found.recognition(of: FileIdentity(device: 1, inode: 2, size: 3, modified: other))
      _ = FileIdentity(device: 1, inode: 2, size: 3, modified: other).recognition(of: found)
    }
    let condition = TargetBaseline(name: "f", identity: found).condition(for: found)
    #expect(condition.since.flatMap { HTTPDate.parse($0) } != nil)
    #expect(SourceHead.make(.file, asked: .whole, facts: SourceFacts(found), now: 0).first("last-modified") != nil)
  }

  @Test(arguments: [Int64.min, -62_167_219_201, -1, 0, 253_402_300_799, 253_402_300_800, Int64.max] as [Int64])
  func datesOfAllTimes(_ seconds: Int64) {
    let text = HTTPDate.format(seconds)
    #expect(text.utf8.count == 29)
    #expect(HTTPDate.parse(text) == min(max(seconds, -62_167_219_200), 253_402_300_799))
  }

  @Test(arguments: [Int64.max, Int64.max - 1, 1 << 62] as [Int64])
  func piecesOfAHugeFile(_ length: Int64) {
    let pieces = PieceHashes(algorithm: .sha256, length: length, hashes: ["a", "b"])
    #expect(pieces.pieces(of: .max).map(\.segment.upperBound).last == .max)
  }
}
