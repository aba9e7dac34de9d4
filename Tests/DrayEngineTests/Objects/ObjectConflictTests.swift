// Other clients' objects at the key of an upload, on servers with and without conditional requests.

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

private let mib = 1 << 20

@Suite(.timeLimit(.minutes(1)), .serialized) struct ObjectConflictTests {
  private func use(_ body: (Bucket) async throws -> Void) async throws {
    let bucket = try Bucket()
    defer { bucket.stop() }
    try await body(bucket)
  }

  @Test(arguments: [3 * mib, 9 * mib])
  func aServerThatRefusesConditionsLaterReplacesNothing(_ count: Int) async throws {
    try await use { bucket in
      // The server is known to honour conditions: it refuses a key that another client has taken.
      bucket.server.lie(.stranger(.fixed([1])), to: .put)
      let first = try await bucket.part([2], as: "other", part: "first")
      #expect(try await bucket.publish(first, 1, as: "other") == .taken)
      bucket.server.configure { $0.conditions = .refused }
      bucket.server.put("p/f", .fixed([9]))
      let part = try await bucket.part(noise(count))
      #expect(try await bucket.publish(part, count) == .taken)
      #expect(bucket.bytes() == [9])
    }
  }

  /// Some servers honour the conditions of a PUT only.
  @Test func whatAServerDoesWithAPutSaysNothingOfUploads() async throws {
    try await use { bucket in
      bucket.server.configure { $0.conditions = .obeyedByPut }
      bucket.server.lie(.stranger(.fixed([1])), to: .put)
      let first = try await bucket.part([2], as: "other", part: "first")
      #expect(try await bucket.publish(first, 1, as: "other") == .taken)
      bucket.server.put("p/f", .fixed([9]))
      let part = try await bucket.part(noise(9 * mib))
      #expect(try await bucket.publish(part, 9 * mib) == .taken)
      #expect(bucket.bytes() == [9])
    }
  }

  @Test func bytesThatWereDamagedOnTheirWayAreSentAgain() async throws {
    try await use { bucket in
      bucket.server.lie(.refuse(status: 400, code: "BadDigest"), to: .put)
      let part = try await bucket.part(noise(1000))
      #expect(try await bucket.publish(part, 1000) == .done(notes: []))
      #expect(bucket.server.calls(.put).map(\.status) == [400, 200] && bucket.bytes() == noise(1000))
    }
  }

  @Test(arguments: [(3 * mib, .put), (9 * mib, .complete)] as [(Int, FaultBucket.Operation)])
  func anObjectThatComesAfterAFailedRequestStays(_ count: Int, _ operation: FaultBucket.Operation) async throws {
    try await use { bucket in
      bucket.server.configure { $0.conditions = .refused }
      // The first request is refused because of its condition. The second one fails; then another client's object
      // appears.
      bucket.server.lie(.refuse(status: 500, code: "InternalError"), to: operation, after: 1)
      bucket.server.lie(.stranger(.fixed([9])), to: .head, after: 2)
      let part = try await bucket.part(noise(count))
      #expect(try await bucket.publish(part, count) == .taken)
      #expect(bucket.bytes() == [9] && bucket.server.untold == 0)
    }
  }

  @Test(arguments: [(3 * mib, .put), (9 * mib, .complete)] as [(Int, FaultBucket.Operation)])
  func aFailedRequestIsLookedUpBeforeItIsRepeated(_ count: Int, _ operation: FaultBucket.Operation) async throws {
    try await use { bucket in
      let bytes = noise(count)
      bucket.server.put("p/f", .fixed([1]))
      bucket.server.lie(.errorAfter, to: operation)
      let part = try await bucket.part(bytes)
      #expect(try await bucket.publish(part, count, .anything) == .done(notes: []))
      #expect(bucket.bytes() == bytes && bucket.server.calls(operation).count == 1)
    }
  }

  /// The checksums of bytes, block by block.
  private static func sums(_ bytes: [UInt8]) -> BlockSums {
    var sums = BlockSums()
    for lower in stride(from: 0, to: bytes.count, by: mib) {
      let piece = bytes[lower..<min(lower + mib, bytes.count)]
      sums.insert(Int64(lower)..<Int64(lower + piece.count), piece.withUnsafeBytes { CRC32C(of: $0) })
    }
    return sums
  }

  /// Columns: the size, the request, and whether the object at the key is the client's own, whose answer is lost, or
  /// another program's.
  @Test(
    arguments: [(3 * mib, .put, true), (9 * mib, .complete, true), (3 * mib, .put, false), (9 * mib, .complete, false)]
      as [(Int, FaultBucket.Operation, Bool)])
  func anObjectIsReadBackWhereItsTagProvesNothing(
    _ count: Int, _ operation: FaultBucket.Operation, _ isOwn: Bool
  ) async throws {
    try await use { bucket in
      bucket.server.configure { ($0.hasOpaqueTags, $0.checksums) = (true, .none) }
      let (bytes, other) = (noise(count), noise(count + 1).dropFirst())
      if isOwn {
        bucket.server.lie(.lose, to: operation)
      } else {
        let stranger = try await bucket.part(Array(other), part: "other")
        #expect(try await bucket.publish(stranger, count) == .done(notes: []))
      }
      let part = try await bucket.part(bytes)
      part.willHold(Self.sums(bytes), nil)
      #expect(try await bucket.publish(part, count) == (isOwn ? .done(notes: []) : .taken))
      #expect(bucket.bytes() == (isOwn ? bytes : Array(other)))
      #expect(bucket.server.calls(operation).count { $0.status == 200 } == (isOwn ? 0 : 1))
    }
  }

  /// The server ignores conditions, and carries out the DELETE but reports a failure. Then another program writes the
  /// key.
  @Test func aRepeatedDeleteLooksFirst() async throws {
    try await use { bucket in
      bucket.server.configure { $0.conditions = .ignored }
      bucket.server.put("p/f", .fixed([1]))
      let client = try #require(bucket.destination as? ObjectDestination).client
      let facts = try #require(try await client.facts("p/f"))
      bucket.server.lie(.failAfter(status: 503, code: "SlowDown"), to: .delete)
      bucket.server.lie(.stranger(.fixed([9])), to: .head, after: 1)
      try await client.delete("p/f", facts)
      #expect(bucket.bytes() == [9] && bucket.server.calls(.delete).count == 1 && bucket.server.untold == 0)
      // Nor does a later deletion of the former object delete the new one.
      try await client.delete("p/f", facts)
      #expect(bucket.bytes() == [9] && bucket.server.calls(.delete).count == 1)
    }
  }

  @Test func anUploadEndsWhereItWasBegun() async throws {
    try await use { bucket in
      let other = try FaultBucket()
      defer { other.stop() }
      _ = try await bucket.part(noise(17 * mib))
      var tries = 0
      while bucket.ledger.all.isEmpty, tries < 1000 {
        tries += 1
        try await Task.sleep(for: .milliseconds(5))
      }
      var signature = AWSSignature()
      signature.endpoint = try RequestURL.parse(other.endpoint).url
      let access = ObjectAccess(signature: signature, credentials: Credentials(user: "AKIDANN", password: "secret"))
      let elsewhere = try bucket.destinations.open(DirectoryPlace("s3://bucket/p", access: access), create: true)
      // If the server says that the bucket does not exist, the upload may still exist.
      bucket.server.lie(.refuse(status: 404, code: "NoSuchBucket"), to: .abort)
      try await bucket.run { () throws(Failure) in try elsewhere.discardPart("part") }
      #expect(bucket.ledger.all.count == 1 && bucket.server.uploads.count == 1)
      try await bucket.run { () throws(Failure) in try elsewhere.discardPart("part") }
      #expect(bucket.ledger.all.isEmpty && bucket.server.uploads.isEmpty && other.calls.isEmpty)
    }
  }
}
