// Requests of a holder whose lease is over: no PUT, POST or DELETE reaches the bucket any more, repeats included (P20).

import DrayCore
import FaultServer
import Synchronization
import Testing

@testable import DrayEngine

private let mib = 1 << 20

/// Counts checks of a fence.
private final class Checks: Sendable {
  private let count = Atomic<Int>(0)

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

@Suite(.timeLimit(.minutes(1)), .serialized) struct ObjectFenceTests {
  /// The end of a lease.
  enum End: CaseIterable {
    /// The lease is over.
    case over
    /// The lease is over and has begun again.
    case begunAgain

    func happen(to fence: WriteFence) {
      let isOpen = self == .begunAgain
      fence.guarded { isOpen }
    }
  }

  private func use(_ body: (Bucket) async throws -> Void) async throws {
    let bucket = try Bucket()
    defer { bucket.stop() }
    bucket.fence.guarded { true }
    try await body(bucket)
  }

  /// Ends the lease at the first request for `operation`, which is refused with 503.
  private func end(_ end: End, at operation: FaultBucket.Operation, _ bucket: Bucket) {
    bucket.server.decide { [fence = bucket.fence] call in
      guard call.operation == operation else { return nil }
      end.happen(to: fence)
      return .slowDown
    }
  }

  @Test(
    arguments: [
      (.put, 3 * mib), (.create, 17 * mib), (.part, 17 * mib), (.complete, 17 * mib),
    ] as [(FaultBucket.Operation, Int)], End.allCases)
  func noWriteIsRepeated(_ write: (FaultBucket.Operation, Int), _ kind: End) async throws {
    let (operation, size) = write
    try await use { bucket in
      bucket.server.put("p/f", .fixed([1, 2, 3]))
      end(kind, at: operation, bucket)
      let bytes = noise(size)
      let failure = await #expect(throws: Failure.self) {
        let part = try await bucket.part(bytes)
        _ = try await bucket.publish(part, bytes.count, .anything)
      }
      #expect(failure?.isStoreAway == true, "\(String(describing: failure))")
      #expect(bucket.bytes() == [1, 2, 3])
      // Several parts may be on their way when the lease ends.
      if operation != .part { #expect(bucket.server.calls(operation).count == 1) }
      #expect(bucket.server.calls(.abort).isEmpty)
    }
  }

  @Test(arguments: End.allCases) func aPartIsNotPublishedUnderALaterLease(_ kind: End) async throws {
    try await use { bucket in
      let part = try await bucket.part([1, 2, 3])
      kind.happen(to: bucket.fence)
      await #expect(throws: Failure.self) { try await bucket.publish(part, 3) }
      #expect(bucket.server.calls(.put).isEmpty && bucket.bytes() == nil)
    }
  }

  @Test("each run has its own fence")
  func runsApart() async throws {
    try await use { bucket in
      let other = WriteFence()
      other.guarded { true }
      let apart = try bucket.destinations.guarded(by: other, LocalDestinations(store: nil)).open(
        bucket.destination.place, create: true)
      let part = try await bucket.part([1, 2, 3])
      // Neither the beginning nor the end of another lease matters.
      other.guarded { false }
      guard case .done = try await bucket.publish(part, 3) else {
        Issue.record("it was not published")
        return
      }
      await #expect(throws: Failure.self) {
        let part = try await bucket.run { () throws(Failure) -> any PartStorage in
          let part = try apart.createPart("other")
          part.expect(3)
          part.willBe("g", ObjectDescription())
          try Bucket.write([1, 2, 3], to: part)
          _ = try part.stage(size: 3) { false }
          _ = try part.finish(size: 3, modified: nil, destinationIsInPlace: true)
          return part
        }
        _ = try await apart.publish(part, as: "g", .nothing)
      }
      #expect(bucket.bytes("g") == nil)
    }
  }

  @Test func aBodyThatIsUnderWayIsNotFinished() async throws {
    try await use { bucket in
      let bytes = noise(8 * mib)
      // The lease is checked before the request and before each piece of its body.
      let checks = Checks()
      bucket.fence.guarded { checks.next() < 3 }
      let part = try await bucket.part(bytes)
      await #expect(throws: Failure.self) { try await bucket.publish(part, bytes.count) }
      #expect(bucket.bytes() == nil && bucket.server.calls(.put).isEmpty)
    }
  }

  @Test func anUploadThatCannotBeRecordedIsDiscarded() async throws {
    try await use { bucket in
      // The store is away until the lease is over. Without a mark, nobody could find the upload later.
      bucket.ledger.refuse { [fence = bucket.fence] in
        fence.guarded { false }
        return Failure(.store, "store", "it is away", recovery: .wait)
      }
      await #expect(throws: Failure.self) {
        let part = try await bucket.part(noise(9 * mib))
        _ = try await bucket.publish(part, 9 * mib)
      }
      #expect(bucket.server.calls(.create).count == 1 && bucket.server.calls(.part).isEmpty)
      #expect(bucket.server.uploads.isEmpty && bucket.ledger.all.isEmpty)
    }
  }

  @Test func uploadsAreNotDiscardedBehindTheFence() async throws {
    try await use { bucket in
      let part = try await bucket.part(noise(17 * mib))
      _ = try await bucket.run { () throws(Failure) in try part.stage(size: Int64(17 * mib)) { false } }
      bucket.fence.guarded { false }
      await #expect(throws: Failure.self) {
        try await bucket.run { [destination = bucket.destination] () throws(Failure) in
          try destination.discardPart("part")
        }
      }
      #expect(bucket.server.uploads.count == 1 && bucket.ledger.all.count == 1)
      bucket.fence.guarded { true }
      try await bucket.run { [destination = bucket.destination] () throws(Failure) in
        try destination.discardPart("part")
      }
      #expect(bucket.server.uploads.isEmpty && bucket.ledger.all.isEmpty)
    }
  }
}
