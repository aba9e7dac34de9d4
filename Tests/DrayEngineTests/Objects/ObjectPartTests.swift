// Files written as objects: parts, lost answers, and continuing after an interruption.

import DrayCore
import FaultServer
import Foundation
import Synchronization
import Testing

@testable import DrayEngine

private let mib = 1 << 20

@Suite(.timeLimit(.minutes(1)), .serialized) struct ObjectPartTests {
  private func use(patience: Double = 5, _ body: (Bucket) async throws -> Void) async throws {
    let bucket = try Bucket(patience: patience)
    defer { bucket.stop() }
    try await body(bucket)
  }

  @Test(arguments: [0, 1, 5 * mib, 8 * mib, 8 * mib + 1, 20 * mib], [true, false])
  func aFileBecomesAnObject(_ count: Int, _ isLengthKnown: Bool) async throws {
    try await use { bucket in
      let bytes = noise(count)
      let part = try await bucket.part(bytes, isLengthKnown: isLengthKnown)
      #expect(try await bucket.publish(part, count) == .done(notes: []))
      #expect(bucket.bytes() == bytes)
      #expect(bucket.server.uploads.isEmpty && bucket.ledger.all.isEmpty)
      // One request for a small file.
      if isLengthKnown, count <= 8 * mib { #expect(bucket.server.calls(.part).isEmpty) }
      let published = try #require(part.publishedIdentity)
      let found = try await bucket.run { [destination = bucket.destination] () throws(Failure) in
        try destination.identity(of: "f")
      }
      #expect(found?.isUnchanged(since: published) == true)
    }
  }

  /// The operation that fails, and how. The upload succeeds despite each of them.
  @Test(
    arguments: [
      (.part, .slowDown), (.part, .errorAfter), (.part, .lose), (.part, .drop), (.complete, .errorAfter),
      (.complete, .lose), (.complete, .drop), (.complete, .errorInside(code: "InternalError", isDone: true)),
      (.complete, .errorInside(code: "InternalError", isDone: false)), (.complete, .slowDown), (.create, .slowDown),
      (.head, .slowDown), (.part, .skewed),
    ] as [(FaultBucket.Operation, FaultBucket.Lie)])
  func whatGoesWrongOnce(_ operation: FaultBucket.Operation, _ lie: FaultBucket.Lie) async throws {
    try await use { bucket in
      let bytes = noise(17 * mib)
      bucket.server.lie(lie, to: operation)
      let part = try await bucket.part(bytes)
      #expect(try await bucket.publish(part, bytes.count) == .done(notes: []))
      #expect(bucket.bytes() == bytes)
      #expect(bucket.server.uploads.isEmpty)
    }
  }

  @Test(arguments: [3 * mib, 17 * mib])
  func aTakenNameStaysTaken(_ count: Int) async throws {
    try await use { bucket in
      bucket.server.put("p/f", .fixed([1, 2, 3]))
      let part = try await bucket.part(noise(count))
      #expect(try await bucket.publish(part, count) == .taken)
      #expect(bucket.bytes() == [1, 2, 3])
    }
  }

  @Test(arguments: [3 * mib, 17 * mib])
  func anObjectMayBeReplaced(_ count: Int) async throws {
    try await use { bucket in
      bucket.server.put("p/f", .fixed([1, 2, 3]))
      let bytes = noise(count)
      let part = try await bucket.part(bytes)
      #expect(try await bucket.publish(part, count, .anything) == .done(notes: []))
      #expect(bucket.bytes() == bytes)
    }
  }

  @Test(arguments: [FaultBucket.Conditions.refused, .ignored])
  func aServerWithoutConditionsIsAskedBefore(_ conditions: FaultBucket.Conditions) async throws {
    try await use { bucket in
      bucket.server.configure { $0.conditions = conditions }
      bucket.server.put("p/taken", .fixed([1]))
      let bytes = noise(9 * mib)
      let part = try await bucket.part(bytes)
      guard case .done(let notes) = try await bucket.publish(part, bytes.count) else { return #expect(Bool(false)) }
      #expect(notes.isEmpty == (conditions == .ignored))
      let other = try await bucket.part([1, 2], as: "taken", part: "other")
      #expect(try await bucket.publish(other, 2, as: "taken") == .taken)
      #expect(bucket.bytes("taken") == [1] && bucket.bytes() == bytes)
    }
  }

  @Test func anotherObjectIsNotTakenForTheUpload() async throws {
    try await use { bucket in
      let bytes = noise(9 * mib)
      let part = try await bucket.part(bytes)
      bucket.server.configure { $0.conditions = .ignored }
      // The other object appears after the upload has ended, before the client looks at it.
      bucket.server.lie(.stranger(.fixed([9])), to: .head, after: 1)
      await #expect(throws: Failure.self) { try await bucket.publish(part, bytes.count) }
      #expect(bucket.bytes() == [9])
    }
  }

  // MARK: After an interruption

  /// Returns the record of the first `parts` parts of a file, as a crash leaves it.
  private func interrupted(_ bucket: Bucket, _ bytes: [UInt8], parts: Int) async throws -> Checkpoint {
    let part = try await bucket.part(Array(bytes.prefix(parts * 8 * mib)), isLengthKnown: false)
    let written = SegmentSet(0..<Int64(parts * 8 * mib))
    try await bucket.run { () throws(Failure) in try part.truncate(to: written.end) }
    // Sums of parts take seconds on a loaded machine.
    for _ in 0..<600 where part.holding != written { try await Task.sleep(for: .seconds(0.1)) }
    let durable = try await bucket.run { () throws(Failure) in try part.makeDurable(written) }
    #expect(durable == written)
    var checkpoint = Checkpoint(segments: durable)
    checkpoint.upload = part.record(of: durable)
    #expect(checkpoint.upload?.parts.count == parts)
    return checkpoint
  }

  @Test func confirmedPartsAreContinued() async throws {
    try await use { bucket in
      let bytes = noise(30 * mib)
      let checkpoint = try await interrupted(bucket, bytes, parts: 2)
      let part = try await bucket.run { [destination = bucket.destination] () throws(Failure) in
        try destination.openPart("part", recorded: checkpoint)
      }
      let again = try #require(part)
      #expect(again.holding == checkpoint.segments)
      let sent = bucket.server.calls(.part).count
      again.willBe("f", ObjectDescription())
      try await bucket.run { () throws(Failure) in try Bucket.write(bytes, to: again, from: 16 * mib) }
      #expect(try await bucket.publish(again, bytes.count) == .done(notes: []))
      #expect(bucket.bytes() == bytes)
      #expect(bucket.server.calls(.part).count == sent + 2)
    }
  }

  @Test func theEndBeforeAJointIsCompared() async throws {
    try await use { bucket in
      let bytes = noise(16 * mib)
      let checkpoint = try await interrupted(bucket, bytes, parts: 1)
      let part = try await bucket.run { [destination = bucket.destination] () throws(Failure) in
        try destination.openPart("part", recorded: checkpoint)
      }
      let again = try #require(part)
      let tail = 8 * mib - (64 << 10)
      func holds(_ bytes: [UInt8]) -> Bool {
        var all = true
        for lower in stride(from: 0, to: bytes.count, by: 16 << 10) {
          let piece = Array(bytes[lower..<lower + (16 << 10)])
          all = piece.withUnsafeBytes { again.holds($0, at: Int64(tail + lower)) } && all
        }
        return all
      }
      #expect(holds(Array(bytes[tail..<8 * mib])))
      var wrong = Array(bytes[tail..<8 * mib])
      wrong[100] ^= 1
      #expect(!holds(wrong))
      #expect(holds(Array(bytes[tail..<8 * mib])))
      // A neighbour that ends at its start compares a few bytes.
      #expect(bytes[..<100].withUnsafeBytes { again.holds($0, at: 0) })
      #expect(bytes[100..<512].withUnsafeBytes { again.holds($0, at: 100) })
      #expect(![UInt8](repeating: 7, count: 512).withUnsafeBytes { again.holds($0, at: 0) })
      #expect(again.comparable([0..<100]) == [Int64(tail)..<Int64(8 * mib)])
    }
  }

  @Test func aForgottenUploadIsNotContinued() async throws {
    try await use { bucket in
      let checkpoint = try await interrupted(bucket, noise(16 * mib), parts: 2)
      bucket.server.forgetUploads()
      let part = try await bucket.run { [destination = bucket.destination] () throws(Failure) in
        try destination.openPart("part", recorded: checkpoint)
      }
      #expect(part == nil)
    }
  }

  @Test func aServerThatDoesNotAnswerForgetsNothing() async throws {
    try await use(patience: 0) { bucket in
      let checkpoint = try await interrupted(bucket, noise(8 * mib), parts: 1)
      bucket.server.lie(.refuse(status: 503, code: "SlowDown"), to: .parts, times: 1000)
      await #expect(throws: Failure.self) {
        try await bucket.run { [destination = bucket.destination] () throws(Failure) in
          _ = try destination.openPart("part", recorded: checkpoint)
        }
      }
      bucket.server.lie(.refuse(status: 503, code: "SlowDown"), to: .head, times: 1000)
      await #expect(throws: Failure.self) {
        try await bucket.run { [destination = bucket.destination] () throws(Failure) in
          _ = try destination.occupant(of: "free")
        }
      }
    }
  }

  @Test func whatIsDiscardedLeavesNothing() async throws {
    try await use { bucket in
      _ = try await interrupted(bucket, noise(16 * mib), parts: 2)
      let others = bucket.server.startUpload("p/f")
      #expect(bucket.server.uploads.count == 2 && bucket.ledger.all.count == 1)
      let failures = try await bucket.run {
        [all = bucket.destinations, place = bucket.destination.place] () throws(Failure) in
        all.discardParts(["part", "none"], at: place)
      }
      #expect(failures.isEmpty && bucket.ledger.all.isEmpty)
      // Another's upload stays (P17).
      #expect(Array(bucket.server.uploads.keys) == [others])
    }
  }

  @Test func aServerThatDoesNotAnswerIsAskedOnce() async throws {
    try await use(patience: 0) { bucket in
      for name in ["a", "b", "c"] {
        let part = try await bucket.part(noise(9 * mib), as: name, part: name)
        _ = try await bucket.run { () throws(Failure) in try part.stage(size: Int64(9 * mib)) { false } }
      }
      bucket.server.lie(.slowDown, to: .abort, times: 1000)
      let failures = try await bucket.run {
        [all = bucket.destinations, place = bucket.destination.place] () throws(Failure) in
        all.discardParts(["a", "b", "none", "c"], at: place)
      }
      #expect(Set(failures.keys) == ["a", "b", "c"])
      #expect(failures.allSatisfy { $0.value.subject == "s3://bucket/p/\($0.key)" })
      #expect(Set(bucket.server.calls(.abort).map(\.upload)).count == 1)
    }
  }

  @Test func anUploadThatIsBeginningIsDiscardedToo() async throws {
    try await use { bucket in
      let gate = FaultServer.Gate()
      defer { gate.open() }
      bucket.server.lie(.hold(gate), to: .create)
      let part = try await bucket.part(noise(9 * mib))
      #expect(await gate.waitForArrivals())
      // No mark exists yet.
      #expect(bucket.ledger.all.isEmpty)
      async let failures = bucket.run {
        [all = bucket.destinations, place = bucket.destination.place] () throws(Failure) in
        all.discardParts(["part"], at: place)
      }
      let object = try #require(part as? ObjectPart)
      #expect(await eventually { object.state.withLock { $0.isClosed } })
      gate.open()
      #expect(try await failures.isEmpty)
      #expect(bucket.server.uploads.isEmpty && bucket.ledger.all.isEmpty)
      #expect(bucket.server.calls(.part).isEmpty)
      await #expect(throws: Failure.self) { try await bucket.publish(part, 9 * mib) }
    }
  }

  @Test func anAttemptThatEndsWaitsForTheMarkOfItsUpload() async throws {
    try await use { bucket in
      let gate = FaultServer.Gate()
      defer { gate.open() }
      bucket.server.lie(.hold(gate), to: .create)
      let part = try await bucket.part(noise(mib), isLengthKnown: false)
      part.expect(Int64(20 * mib))
      part.willBe("f", ObjectDescription())
      #expect(await gate.waitForArrivals())
      let marks = try await bucket.run { [ledger = bucket.ledger] () throws(Failure) in
        try part.truncate(to: Int64(mib))
        gate.open()
        _ = try part.makeDurable(SegmentSet(0..<Int64(mib)))
        return ledger.all.count
      }
      #expect(marks == 1)
    }
  }

  @Test func anUploadThatTheServerKeepsStaysRecorded() async throws {
    try await use { bucket in
      _ = try await interrupted(bucket, noise(16 * mib), parts: 2)
      // The server claims to discard the upload, but does not.
      bucket.server.lie(.errorInside(code: "InternalError", isDone: false), to: .abort, times: 1000)
      let failures = try await bucket.run {
        [all = bucket.destinations, place = bucket.destination.place] () throws(Failure) in
        all.discardParts(["part"], at: place)
      }
      #expect(failures["part"] != nil && bucket.ledger.all.count == 1)
      bucket.server.behave()
      let left = try await bucket.run {
        [all = bucket.destinations, place = bucket.destination.place] () throws(Failure) in
        all.discardParts(["part"], at: place)
      }
      #expect(left.isEmpty && bucket.server.uploads.isEmpty && bucket.ledger.all.isEmpty)
    }
  }

  @Test func anEqualObjectOfAnotherUploadLeavesNoUpload() async throws {
    try await use { bucket in
      let bytes = noise(9 * mib)
      let first = try await bucket.part(bytes, part: "first")
      let second = try await bucket.part(bytes, part: "second")
      #expect(try await bucket.publish(first, bytes.count) == .done(notes: []))
      #expect(try await bucket.publish(second, bytes.count) == .done(notes: []))
      #expect(bucket.bytes() == bytes)
      #expect(bucket.server.uploads.isEmpty && bucket.ledger.all.isEmpty)
    }
  }

  @Test func anUploadOfAnEarlierAttemptGoesWithASmallFile() async throws {
    try await use { bucket in
      _ = try await interrupted(bucket, noise(8 * mib), parts: 1)
      #expect(bucket.server.uploads.count == 1)
      let part = try await bucket.part([1, 2, 3])
      #expect(try await bucket.publish(part, 3) == .done(notes: []))
      #expect(bucket.server.uploads.isEmpty && bucket.ledger.all.isEmpty)
    }
  }

  @Test func bytesThatAreGivenUpAreSentAgain() async throws {
    try await use { bucket in
      let bytes = noise(24 * mib)
      let part = try await bucket.part(bytes)
      _ = try await bucket.run { () throws(Failure) in try part.stage(size: Int64(bytes.count)) { false } }
      // The server has whole parts only.
      #expect(part.giveUp(Int64(9 * mib)..<Int64(10 * mib)) == Int64(8 * mib)..<Int64(16 * mib))
      #expect(part.isAway)
      try await bucket.run { () throws(Failure) in
        try Bucket.write(Array(bytes.prefix(16 * mib)), to: part, from: 8 * mib)
      }
      #expect(try await bucket.publish(part, bytes.count) == .done(notes: []))
      #expect(bucket.bytes() == bytes)
    }
  }

  // MARK: Digests

  @Test(arguments: [true, false])
  func digestsAreComputedOrReadBack(_ isInOrder: Bool) async throws {
    try await use { bucket in
      let bytes = noise(20 * mib)
      let part = try await bucket.run { [destination = bucket.destination] () throws(Failure) in
        let part = try destination.createPart("part")
        part.expect(Int64(bytes.count))
        part.hash([.sha256])
        if !isInOrder { try Bucket.write(Array(bytes.prefix(16 * mib)), to: part, from: 8 * mib) }
        part.willBe("f", ObjectDescription())
        try Bucket.write(isInOrder ? bytes : Array(bytes.prefix(8 * mib)), to: part)
        if !isInOrder { try Bucket.write(bytes, to: part, from: 16 * mib) }
        return part
      }
      _ = try await bucket.run { () throws(Failure) in try part.stage(size: Int64(bytes.count)) { false } }
      let wanted = bytes.withUnsafeBytes { bytes -> [DigestValue] in
        var digest = RunningDigest([.sha256])
        digest.update(bytes)
        return digest.values
      }
      let early = try await bucket.run { () throws(Failure) in part.hashed([.sha256]) }
      if isInOrder { #expect(early == wanted) }
      part.mustProve([.sha256]) { (found) throws(Failure) in
        guard found == wanted else { throw Failure(.integrity, "f", "it differs") }
        return SourcedDigest(found[0], .given)
      }
      #expect(try await bucket.publish(part, bytes.count) == .done(notes: []))
      #expect(part.provedDigest?.digest == wanted.first)
    }
  }

  @Test func wrongBytesDoNotKeepTheName() async throws {
    try await use { bucket in
      let bytes = noise(9 * mib)
      let part = try await bucket.part(bytes)
      part.mustProve([.sha256]) { (_) throws(Failure) in throw Failure(.integrity, "f", "it differs") }
      await #expect(throws: Failure.self) { try await bucket.publish(part, bytes.count) }
      #expect(bucket.bytes() == nil)
    }
  }
}
