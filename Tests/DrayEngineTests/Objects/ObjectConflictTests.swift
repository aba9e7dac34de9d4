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
      // The first request is refused for its condition. The second one fails, then another client's object comes.
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
}
