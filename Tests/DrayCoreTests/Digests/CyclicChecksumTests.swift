// Checksums against the check values of their catalogue, whole and in pieces.

import DrayCore
import Testing

@Suite struct CyclicChecksumTests {
  static func checksum(_ algorithm: DigestAlgorithm, _ parts: [[UInt8]]) -> [UInt8]? {
    guard var checksum = CyclicChecksum(algorithm) else { return nil }
    for part in parts { part.withUnsafeBytes { checksum.update($0) } }
    return checksum.bytes
  }

  @Test(
    "the check values of the algorithms' catalogue (reveng.sourceforge.io)",
    arguments: [
      (DigestAlgorithm.crc32, "cbf43926"), (.crc64nvme, "ae8b14860a799888"),
    ])
  func checkValue(algorithm: DigestAlgorithm, hex: String) throws {
    let bytes = try #require(CyclicChecksumTests.checksum(algorithm, [Array("123456789".utf8)]))
    #expect(DigestValue(algorithm, bytes: bytes).hex == hex)
    #expect(bytes.count == algorithm.byteCount)
  }

  @Test("the pieces of the input do not matter", arguments: [DigestAlgorithm.crc32, .crc64nvme])
  func cut(algorithm: DigestAlgorithm) {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 3) }
    let whole = CyclicChecksumTests.checksum(algorithm, [bytes])
    for cut in [1, 3, 7, 8, 9, 500, 997] {
      #expect(CyclicChecksumTests.checksum(algorithm, [Array(bytes[..<cut]), Array(bytes[cut...])]) == whole)
    }
    #expect(CyclicChecksumTests.checksum(algorithm, [Array(bytes.dropLast())]) != whole)
  }

  @Test("other texts are invalid")
  func others() { #expect(CyclicChecksum(.sha256) == nil) }
}
