// Objects and their digests: hashed in order, or read back; and parts that are given up while they are sent.

import DrayCore
import FaultServer
import Foundation
import Testing

@testable import DrayEngine

private let mib = 1 << 20

@Suite(.timeLimit(.minutes(1)), .serialized) struct ObjectProofTests {
  private static let wrong = Failure(.integrity, "f", "it differs")

  private func use(patience: Double = 5, _ body: (Bucket) async throws -> Void) async throws {
    let bucket = try Bucket(patience: patience)
    defer { bucket.stop() }
    try await body(bucket)
  }

  private func sha256(_ bytes: [UInt8]) -> DigestValue? {
    bytes.withUnsafeBytes { bytes in
      var digest = RunningDigest([.sha256])
      digest.update(bytes)
      return digest.values.first
    }
  }

  /// Returns the failure of a publish.
  private func failure(_ body: () async throws -> PublishOutcome) async -> Failure? {
    do { _ = try await body() } catch { return error as? Failure }
    return nil
  }

  @Test func aHashNeedsOneConnection() async throws {
    try await use { bucket in
      try await bucket.run { [destination = bucket.destination] () throws(Failure) in
        let part = try destination.createPart("part")
        part.expect(Int64(50 * mib))
        #expect(part.units?.mostWriters ?? 0 > 1)
        part.hash([.sha256])
        #expect(part.units?.mostWriters == 1)
        part.hash([])
        #expect(part.units?.mostWriters ?? 0 > 1)
      }
    }
  }

  @Test func anUnprovedObjectReplacesNothing() async throws {
    try await use { bucket in
      bucket.server.put("p/f", .fixed([1, 2, 3]))
      let bytes = noise(9 * mib)
      let part = try await bucket.part(bytes)
      part.mustProve([.sha256]) { (_) throws(Failure) in throw ObjectProofTests.wrong }
      let failure = await failure { try await bucket.publish(part, bytes.count, .anything) }
      #expect(failure?.isUnproved == true, "\(failure.map { "\($0)" } ?? "none")")
      #expect(bucket.bytes() == [1, 2, 3] && bucket.server.calls(.complete).isEmpty)
    }
  }

  @Test func anUnprovedObjectNeedsAFreeKey() async throws {
    try await use { bucket in
      let bytes = noise(9 * mib)
      let part = try await bucket.part(bytes)
      part.mustProve([.sha256]) { (found) throws(Failure) in SourcedDigest(found[0], .given) }
      // It comes between the look and the end of the upload.
      bucket.server.lie(.stranger(.fixed([9])), to: .complete)
      #expect(try await bucket.publish(part, bytes.count, .anything) == .taken)
      #expect(bucket.bytes() == [9])
      #expect(bucket.server.calls(.complete).allSatisfy { $0.fields["if-none-match"] == "*" })
    }
  }

  @Test func aWrongObjectThatStaysIsNamed() async throws {
    try await use { bucket in
      let bytes = noise(9 * mib)
      let part = try await bucket.part(bytes)
      part.mustProve([.sha256]) { (_) throws(Failure) in throw ObjectProofTests.wrong }
      bucket.server.lie(.refuse(status: 403, code: "AccessDenied"), to: .delete, times: 1000)
      let failure = await failure { try await bucket.publish(part, bytes.count) }
      #expect(failure?.leavesWrongObject == true, "\(failure.map { "\($0)" } ?? "none")")
      #expect(failure?.recovery == .final && bucket.bytes() == bytes)
    }
  }

  @Test(arguments: [true, false]) func aWrongObjectThatCannotBeDeletedNowIsLeftToRecovery(_ isFenced: Bool) async throws
  {
    try await use(patience: 0) { bucket in
      bucket.fence.guarded { true }
      let bytes = noise(9 * mib)
      let part = try await bucket.part(bytes)
      part.mustProve([.sha256]) { [fence = bucket.fence] (_) throws(Failure) in
        if isFenced { fence.guarded { false } }
        throw ObjectProofTests.wrong
      }
      if !isFenced { bucket.server.lie(.slowDown, to: .delete) }
      let failure = try #require(await failure { try await bucket.publish(part, bytes.count) })
      #expect(failure.kind != .integrity && !failure.leavesWrongObject, "\(failure)")
      #expect(isFenced ? failure.isStoreAway : failure.recovery == .retry)
      let identity = try #require(part.publishedIdentity)
      #expect(bucket.bytes() == bytes)

      bucket.fence.guarded { true }
      await #expect(throws: Failure.self) {
        try await bucket.destination.proveTarget("f", identity, [.sha256], isStopped: { false }) {
          (_) throws(Failure) in throw ObjectProofTests.wrong
        }
      }
      #expect(bucket.bytes() == nil)
    }
  }

  @Test(arguments: [true, false]) func aServerWithoutConditionsDeletesOnlyTheWrongObject(_ hasStranger: Bool)
    async throws
  {
    try await use { bucket in
      let bytes = noise(9 * mib)
      let part = try await bucket.part(bytes)
      part.mustProve([.sha256]) { (_) throws(Failure) in throw ObjectProofTests.wrong }
      bucket.server.lie(.refuse(status: 501, code: "NotImplemented"), to: .delete)
      // Looks come before and after the upload, then before the second request to delete.
      if hasStranger { bucket.server.lie(.stranger(.fixed([9])), to: .head, after: 2) }
      let failure = await failure { try await bucket.publish(part, bytes.count) }
      #expect(failure?.kind == .integrity && failure?.recovery == .retry, "\(failure.map { "\($0)" } ?? "none")")
      #expect(bucket.bytes() == (hasStranger ? [9] : nil))
    }
  }

  @Test func aStoppedRunReadsNoWholeObjectBack() async throws {
    try await use { bucket in
      let bytes = noise(17 * mib)
      let stop = Stop()
      bucket.server.decide { call in
        if call.operation == .get { stop.set() }
        return nil
      }
      let destination = try bucket.destinations.stopping { stop.isSet }.open(bucket.destination.place, create: true)
      let part = try await bucket.part(bytes, in: destination)
      part.mustProve([.sha256]) { (found) throws(Failure) in SourcedDigest(found[0], .given) }
      let failure = await failure { try await bucket.publish(part, bytes.count, in: destination) }
      #expect(failure != nil && failure?.kind != .integrity)
      // The object exists, so recovery can prove it.
      #expect(part.publishedIdentity != nil && part.provedDigest == nil && bucket.bytes() == bytes)
    }
  }

  @Test func anObjectThatCannotBeReadBackExists() async throws {
    try await use(patience: 0) { bucket in
      let bytes = noise(9 * mib)
      let part = try await bucket.part(bytes)
      part.mustProve([.sha256]) { (found) throws(Failure) in SourcedDigest(found[0], .given) }
      bucket.server.lie(.refuse(status: 403, code: "AccessDenied"), to: .get, times: 1000)
      let failure = await failure { try await bucket.publish(part, bytes.count) }
      #expect(failure != nil && failure?.kind != .integrity)
      let identity = try #require(part.publishedIdentity)
      bucket.server.behave()

      let proved = try await bucket.destination.proveTarget("f", identity, [.sha256], isStopped: { false }) {
        (found) throws(Failure) in SourcedDigest(found[0], .given)
      }
      #expect(proved?.digest == sha256(bytes))
      #expect(bucket.bytes() == bytes)
      await #expect(throws: Failure.self) {
        try await bucket.destination.proveTarget("f", identity, [.sha256], isStopped: { false }) {
          (_) throws(Failure) in throw ObjectProofTests.wrong
        }
      }
      #expect(bucket.bytes() == nil)
    }
  }

  // MARK: Parts that are given up

  @Test func aPartThatIsGivenUpIsSentAgainAfterItsRequest() async throws {
    try await use { bucket in
      let (old, new) = (noise(8 * mib), [UInt8](noise(24 * mib).reversed()))
      let gate = FaultServer.Gate()
      bucket.server.lie(.hold(gate), to: .part)
      let part = try await bucket.run { [destination = bucket.destination] () throws(Failure) in
        let part = try destination.createPart("part")
        part.expect(Int64(new.count))
        part.willBe("f", ObjectDescription())
        try Bucket.write(old, to: part)
        return part
      }
      #expect(await gate.waitForArrivals())
      #expect(part.giveUp(0..<Int64(mib)) == 0..<Int64(8 * mib))
      try await bucket.run { () throws(Failure) in try Bucket.write(new, to: part) }
      for _ in 0..<600 where Set(bucket.server.calls(.part).map(\.number)) != [2, 3] {
        try await Task.sleep(for: .seconds(0.05))
      }
      #expect(Set(bucket.server.calls(.part).map(\.number)) == [2, 3])
      gate.open()
      #expect(try await bucket.publish(part, new.count) == .done(notes: []))
      #expect(bucket.bytes() == new)
      #expect(bucket.server.calls(.part).count { $0.number == 1 } == 2)
    }
  }

  @Test(arguments: [(3 * mib, mib), (12 * mib, 9 * mib)])
  func aShorterFileHasNoOldTail(_ longer: Int, _ count: Int) async throws {
    try await use { bucket in
      let bytes = noise(longer)
      let part = try await bucket.part(bytes, isLengthKnown: false)
      try await bucket.run { () throws(Failure) in try part.truncate(to: Int64(count)) }
      #expect(try await bucket.publish(part, count) == .done(notes: []))
      #expect(bucket.bytes() == Array(bytes.prefix(count)))
      #expect(bucket.server.calls(.put).allSatisfy { $0.size == count })
    }
  }
}
