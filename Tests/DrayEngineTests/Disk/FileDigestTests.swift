// Digests of files against published test vectors.

import DrayCore
import Foundation
import Testing

@testable import DrayEngine

@Suite struct FileDigestTests {
  private let temporary: TemporaryDirectory

  init() throws { temporary = try TemporaryDirectory() }

  private func part(_ bytes: some Sequence<UInt8>) throws -> any StoredBytes {
    try temporary.write(bytes, to: "part")
    return try #require(try temporary.destination().openPart("part"))
  }

  /// RFC 1321 and FIPS 180: the digests of "abc".
  @Test(arguments: [
    "md5=900150983cd24fb0d6963f7d28e17f72",
    "sha-1=a9993e364706816aba3e25717850c26c9cd0d89d",
    "sha-256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "sha-384=cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
    "sha-512=ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
      + "454d4423643ce80e2a9ac94fa54ca49f",
    // `printf abc | git hash-object --stdin`
    "git-sha1=f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f",
  ])
  func abc(_ text: String) throws {
    let expected = try DigestValue.parse(text)
    #expect(try FileDigest.compute([expected.algorithm], of: try part("abc".utf8), size: 3) == [expected])
    // Only the bytes of the file count, not later ones.
    #expect(try FileDigest.compute([expected.algorithm], of: try part("abcdef".utf8), size: 3) == [expected])
  }

  @Test func nothing() throws {
    let empty = "sha-256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    #expect(try FileDigest.compute([.sha256], of: try part([]), size: 0).first?.description == empty)
    let blob = "git-sha1=e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    #expect(try FileDigest.compute([.gitSHA1], of: try part([]), size: 0).first?.description == blob)
  }

  /// FIPS 180: a million times "a", which is more than one block.
  @Test func aMillion() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000) + [UInt8](repeating: 0, count: 500_000)
    let found = try #require(try FileDigest.compute([.sha256], of: try part(bytes), size: 1_000_000).first)
    #expect(found.hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func severalAtOnce() throws {
    let found = try FileDigest.compute([.crc32, .md5, .crc64nvme, .crc32c], of: try part("123456789".utf8), size: 9)
    #expect(
      found.map(\.description) == [
        "crc32=cbf43926", "md5=25f9e794323b453885f5181f1b624d0b", "crc64nvme=ae8b14860a799888",
        "crc32c=e3069283",
      ])
  }

  @Test func aFileThatIsTooShortHasNone() throws {
    #expect(throws: Failure.self) { try FileDigest.compute([.md5], of: try part("abc".utf8), size: 4) }
  }

  @Test func itEndsWhenItIsNoLongerWanted() throws {
    let part = try part([UInt8](repeating: 1, count: 3 << 20))
    var asked = 0
    let isCancelled = {
      asked += 1
      return asked == 2
    }
    #expect(throws: CancellationError.self) {
      try FileDigest.compute([.sha256], of: part, size: 3 << 20, isCancelled: isCancelled)
    }
    #expect(asked == 2)
  }
}
