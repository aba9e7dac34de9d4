// Digests as people write them (`--checksum`).

import Foundation
import Testing

@testable import DrayCore

@Suite struct DigestValueTests {
  private static let hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  private static let base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

  @Test(
    arguments: [
      "sha-256=\(hex)", "SHA-256=\(hex)", "sha256=\(hex)", "sha256:\(hex)", "sha_256:\(hex)",
      "sha-256=\(hex.uppercased())",
      "sha-256=\(base64)", "sha-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
      "sha-256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
    ])
  func oneDigest(text: String) throws {
    let digest = try DigestValue.parse(text)
    #expect(digest.algorithm == .sha256 && digest.bytes.count == 32)
    #expect(digest.hex == Self.hex && digest.base64 == Self.base64)
    #expect(digest.description == "sha-256=" + Self.hex)
  }

  @Test(arguments: DigestAlgorithm.allCases)
  func everyAlgorithm(_ algorithm: DigestAlgorithm) throws {
    let digest = DigestValue(algorithm, bytes: (0..<algorithm.byteCount).map { UInt8($0 &* 37 & 0xFF) })
    #expect(try DigestValue.parse("\(algorithm.rawValue)=\(digest.hex)") == digest)
    #expect(try DigestValue.parse("\(algorithm.rawValue)=\(digest.base64)") == digest)
    #expect(try JSONDecoder().decode([DigestValue].self, from: JSONEncoder().encode([digest])) == [digest])
  }

  @Test func theDigestOfGitNeedsItsName() throws {
    let hex = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    #expect(try DigestValue.parse("git-sha1=\(hex)").algorithm == .gitSHA1)
    #expect(try DigestValue.parse(hex).algorithm == .sha1)
    #expect([DigestAlgorithm.md5, .gitSHA1, .sha1, .sha256].min { $0.rank < $1.rank } == .sha256)
    #expect(DigestAlgorithm.gitSHA1.identifies && DigestAlgorithm.sha1.rank < DigestAlgorithm.gitSHA1.rank)
  }

  @Test(arguments: [DigestAlgorithm.md5, .sha1, .sha256, .sha384, .sha512])
  func digitsAloneAreOfTheirLength(_ algorithm: DigestAlgorithm) throws {
    let text = String(repeating: "0f", count: algorithm.byteCount)
    #expect(try DigestValue.parse(text).algorithm == algorithm && DigestValue.parse(text).hex == text)
  }

  @Test(
    arguments: [
      ("", "sha-256=HEX"), ("12345678", "crc32=HEX"), (hex + "zz", "sha-256=HEX"),
      ("crc16=1234", "md5, sha-1, sha-256, sha-384, sha-512"),
      ("=\(hex)", "unknown"), ("sha-256=", "64 hexadecimal digits"),
      ("sha-256=\(hex.dropLast())", "has 63 characters"),
      ("sha-256=\(hex)00", "has 66 characters"), ("sha-1=\(hex)", "40 hexadecimal digits"),
      ("md5=zz\(hex.prefix(30))", "32 hexadecimal digits"), ("sha-256=\u{1B}[2J", "64 hexadecimal digits"),
      ("md5= d41d8cd98f00b204e9800998ecf8427e", "33 characters"),
    ])
  func refused(text: String, reason: String) throws {
    let error = #expect(throws: DigestParseError.self) { try DigestValue.parse(text) }
    let message = try #require(error).message
    #expect(message.contains(reason), "\(message)")
    #expect(message == TextSafety.escaped(message))
  }

  @Test func aBadDigestInAStoreIsAnError() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([DigestValue].self, from: Data(#"["md5=1"]"#.utf8))
    }
  }
}
