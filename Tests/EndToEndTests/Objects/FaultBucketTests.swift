// Tests of the bucket that lies: other tests rely on it, so it is tested without the program.

import Foundation
import Testing

@testable import FaultServer

@Suite("Fault bucket")
struct FaultBucketTests {
  @Test("checksums are those that the standards state")
  func checksums() {
    let digits = Array("123456789".utf8)
    #expect(
      Data(base64Encoded: BucketChecksum.crc64nvme.value(of: digits)).map(Array.init) == [
        0xAE, 0x8B, 0x14, 0x86, 0x0A, 0x79, 0x98, 0x88,
      ])
    #expect(Data(base64Encoded: BucketChecksum.crc32c.value(of: digits)).map(Array.init) == [0xE3, 0x06, 0x92, 0x83])
    #expect(Data(base64Encoded: BucketChecksum.crc32.value(of: digits)).map(Array.init) == [0xCB, 0xF4, 0x39, 0x26])
  }

  @Test("a client that knows S3 uploads, lists and reads")
  func client() async throws {
    try await Sandbox.use { sandbox in
      let bucket = try FaultBucket()
      defer { bucket.stop() }
      let content = Content.generated(seed: 3, size: 300_000)
      try content.write(toFileAt: sandbox.path("f"))
      func ask(_ arguments: String...) async throws -> Finished {
        let program = try sandbox.launch(
          try toolPath("python3"), ["-B", ObjectServer.script("s3client.py")] + arguments
        ) { $0.environment.merge(bucket.place.variables) { $1 } }
        return try await program.finish()
      }
      expect(try await ask("put", "a b/ü+c", "f"), exits: 0)
      expect(try await ask("get", "a b/ü+c", "g"), exits: 0)
      #expect(content.difference(fromFileAt: sandbox.path("g")) == nil)
      expect(try await ask("start", "x"), exits: 0, saying: "upload-1")
      expect(try await ask("uploads"), exits: 0, saying: "[[\"x\", \"upload-1\"]]")
      expect(try await ask("abort", "x", "upload-1"), exits: 0)
      #expect(bucket.uploads.isEmpty && bucket.keys == ["a b/ü+c"])

      // A lie is told once, to the request that it is for.
      bucket.lie(.damage, to: .put)
      expect(try await ask("put", "bad", "f"), exits: 0)
      expect(try await ask("put", "good", "f"), exits: 0)
      #expect(bucket.object("bad")?.bytes != content.allBytes)
      #expect(bucket.object("good")?.bytes == content.allBytes)
      bucket.configure { $0.keys = [] }
      expect(try await ask("keys"), exits: 1, saying: "ExpiredToken")
    }
  }
}
