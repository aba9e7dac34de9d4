// Digests computed while bytes arrive are those of the file, for any order of the bytes.

import Crypto
import DrayCore
import FaultServer
import Foundation
internal import Posix
import Testing

@testable import DrayEngine

@Suite struct DigestFollowerTests {
  /// Longer than the size that is hashed at the end only.
  static let version = FaultServer.Version.named("followed", size: 20 << 20)

  static func digest(_ version: FaultServer.Version) -> DigestValue {
    DigestValue(.sha256, bytes: Array(SHA256.hash(data: version.content.bytes(in: 0..<version.content.size))))
  }

  static func offer(_ version: FaultServer.Version, _ answer: FaultServer.Answer = .normal) -> FaultServer.Answer {
    answer.with { $0.headers.append("Repr-Digest: sha-256=:\(digest(version).base64):") }
  }

  /// Checks that the transfer was offered the file's digest, and knows the file's digests afterwards.
  static func check(_ site: Site, _ plan: TransferPlan) async throws -> TransferOutcome {
    let transfer = site.engine.start(plan, observer: Watcher())
    let outcome = await transfer.outcome()
    guard case .whole(let part, let size, _) = outcome.end else { return outcome }
    #expect(outcome.offered.map(\.digest) == [digest(version)])
    #expect(try transfer.digests([.sha256], of: part, size: size) { false } == [digest(version)])
    #expect(try transfer.digests([.md5], of: part, size: size) { false } != [])
    return outcome
  }

  @Test(arguments: [1, 8])
  func aFileThatComesWhole(connections: Int) async throws {
    try await Site.use(Self.version, Self.offer(Self.version)) { site in
      var plan = try site.plan()
      plan.maxConnections = connections
      #expect(try await Self.check(site, plan).wholeSize == Self.version.content.size)
    }
  }

  @Test func aFileThatGoesOn() async throws {
    try await Site.use(Self.version, Self.offer(Self.version)) { site in
      let recorded = try site.receivedBefore(9 << 20, of: Self.version)
      let outcome = try await Self.check(site, try site.plan(recorded: recorded))
      #expect(outcome.resumedFrom == 9 << 20)
    }
  }

  @Test func bytesOfAnEarlierVersionDoNotCount() async throws {
    try await Site.use(Self.version, Self.offer(Self.version)) { site in
      let old = FaultServer.Version.named("old", size: 20 << 20)
      let recorded = try site.receivedBefore(9 << 20, of: old)
      let outcome = try await Self.check(site, try site.plan(recorded: recorded))
      #expect(outcome.startedOver != nil)
    }
  }

  @Test("hashed bytes are not hashed again if the next answer continues there")
  func itGoesOnWithItsOwn() throws {
    let directory = try TemporaryDirectory()
    try directory.write([UInt8](repeating: 1, count: 10), to: "part")
    let part = try #require(try directory.destination().openPart("part"))
    let follower = DigestFollower(part, [.sha256])
    follower.advance(to: 5)
    #expect(follower.serves(DigestFollower(part, [.sha256]), from: 5))
    #expect(!follower.serves(DigestFollower(part, [.sha256]), from: 4))
    #expect(!follower.serves(DigestFollower(part, [.md5]), from: 5))
    follower.stop()
    #expect(!follower.serves(DigestFollower(part, [.sha256]), from: 5))
  }

  /// A part file of this many equal bytes, and its follower.
  private func follow(
    _ count: Int, _ spares: SpareBuffers = SpareBuffers()
  ) throws -> (TemporaryDirectory, DigestFollower) {
    let directory = try TemporaryDirectory()
    try directory.write([UInt8](repeating: 1, count: count), to: "part")
    let part = try #require(try directory.destination().openPart("part"))
    return (directory, DigestFollower(part, [.sha256], spares))
  }

  private func buffer(_ byte: UInt8, _ count: Int = GatherBufferPool.bufferSize) -> GatherBuffer {
    let buffer = GatherBuffer(capacity: count)
    _ = withBytes([UInt8](repeating: byte, count: count)) { buffer.append($0) }
    return buffer
  }

  private func digest(_ bytes: [UInt8]) -> [DigestValue] {
    [DigestValue(.sha256, bytes: Array(SHA256.hash(data: bytes)))]
  }

  @Test("bytes in order are hashed from memory, others from the file")
  func buffersAndFile() throws {
    let unit = GatherBufferPool.bufferSize
    let (_, follower) = try follow(200 * unit)
    // Memory and file hold different bytes, so the digest shows which were hashed.
    let hand = { (byte: UInt8, position: Int) -> Bool in
      let full = self.buffer(byte)
      guard let spare = follower.spare(for: full, at: Int64(position * unit)) else { return false }
      #expect(spare.count == 0 && spare.size == full.size && spare !== full)
      follower.take(full, at: Int64(position * unit))
      return true
    }
    for position in 0..<20 {
      #expect(hand(2, position))
      follower.advance(to: Int64((position + 1) * unit))
    }
    #expect(!hand(3, 21), "a gap")
    #expect(!hand(3, 19), "what was hashed")
    follower.advance(to: Int64(150 * unit))
    #expect(hand(4, 150), "after what is read from the file")
    follower.advance(to: Int64(151 * unit))
    let bytes = { (byte: UInt8, count: Int) in [UInt8](repeating: byte, count: count * unit) }
    let wanted = bytes(2, 20) + bytes(1, 130) + bytes(4, 1) + bytes(1, 3)
    #expect(try follower.values([.sha256], size: Int64(154 * unit)) { false } == digest(wanted))
    #expect(!hand(5, 151), "somebody has asked for the digest")
  }

  @Test("a hashed buffer is reused, by any file")
  func usedAgain() async throws {
    let spares = SpareBuffers()
    let (_, follower) = try follow(10, spares)
    let full = buffer(7, GatherBufferPool.largeSize)
    let spare = try #require(follower.spare(for: full, at: 0))
    follower.take(full, at: 0)
    #expect(await eventually { spares.take(full.size) === full })
    #expect(full.count == 0 && spare !== full)
  }

  @Test("a file whose hash is far behind gets no more buffers")
  func farBehind() throws {
    let size = GatherBufferPool.largeSize
    let (_, follower) = try follow(16 * size)
    let hand = { (position: Int) -> Bool in
      let full = self.buffer(1, size)
      guard let spare = follower.spare(for: full, at: Int64(position * size)) else { return false }
      follower.take(full, at: Int64(position * size))
      return spare.size == size
    }
    follower.queue.suspend()
    let limit = DigestFollower.bufferLimit / size
    for position in 0..<limit { #expect(hand(position)) }
    #expect(!hand(limit))
    follower.queue.resume()
    let wanted = digest([UInt8](repeating: 1, count: 16 * size))
    #expect(try follower.values([.sha256], size: Int64(16 * size)) { false } == wanted)
  }

  @Test("waiting for a digest can be given up, and repeated")
  func givenUp() throws {
    // The last MiB must still be read, however much is hashed.
    let (_, follower) = try follow(10 << 20)
    follower.advance(to: 9 << 20)
    #expect(throws: CancellationError.self) { try follower.values([.sha256], size: 10 << 20) { true } }
    let wanted = digest([UInt8](repeating: 1, count: 10 << 20))
    #expect(try follower.values([.sha256], size: 10 << 20) { false } == wanted)
  }

  @Test("a digest that begins with the length is computed anew if the file has another length")
  func lengthFirst() throws {
    let directory = try TemporaryDirectory()
    try directory.write([UInt8](repeating: 1, count: 10), to: "part")
    let part = try #require(try directory.destination().openPart("part"))
    let follower = DigestFollower(part, [.gitSHA1], size: 10)
    follower.advance(to: 10)
    #expect(!follower.serves(DigestFollower(part, [.gitSHA1], size: 9), from: 10))
    #expect(
      try follower.values([.gitSHA1], size: 10) { false }?.first?.hex == "21808bb71049610beebc43f69effdb7052712ba9")
    #expect(try DigestFollower(part, [.gitSHA1], size: 10).values([.gitSHA1], size: 9) { false } == nil)
  }

  @Test("a file shorter than announced is an error, not a digest")
  func tooShort() throws {
    let (_, follower) = try follow(5 << 20)
    follower.advance(to: 9 << 20)
    #expect(throws: Failure.self) { try follower.values([.sha256], size: 9 << 20) { false } }
  }

  @Test func aDigestOfAnotherVersionIsAContradiction() async throws {
    try await Site.use(Self.version, Self.offer(Self.version)) { site in
      var recorded = try site.receivedBefore(9 << 20, of: Self.version)
      recorded.offered = [
        SourcedDigest(
          DigestValue(.sha256, bytes: [UInt8](repeating: 7, count: 32)), DigestSource(rawValue: "Repr-Digest"))
      ]
      let outcome = try await Self.check(site, try site.plan(recorded: recorded))
      #expect(outcome.startedOver?.text.contains("Repr-Digest was") ?? false)
      #expect(site.difference(Self.version) == nil)
    }
  }
}
