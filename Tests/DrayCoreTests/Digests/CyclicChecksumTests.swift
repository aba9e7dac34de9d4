// Checksums against the check values of their catalogue, whole and in pieces.

import CChecksum
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

  @Test(
    "CRC-64/NVME with tables and by multiplication come to the same, around the lengths at which the way changes",
    arguments: [0, 1, 15, 16, 17, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 70_001])
  func bothWays(length: Int) {
    for offset in 0..<16 {
      let bytes = (0..<length + offset).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37_79B9 >> 7) }
      bytes.withUnsafeBytes { all in
        let bytes = UnsafeRawBufferPointer(rebasing: all[offset...])
        for start in [0, UInt64.max, 0x0123_4567_89AB_CDEF] {
          let sum = dray_crc64nvme(start, bytes.baseAddress, bytes.count)
          #expect(sum == dray_crc64nvme_by_table(start, bytes.baseAddress, bytes.count))
          #expect(length > 0 || sum == start)
        }
      }
    }
  }

  @Test("other texts are invalid")
  func others() { #expect(CyclicChecksum(.sha256) == nil) }
}
