// Digests that are computed behind the bytes are those of the file, however it came.

import Crypto
import DrayCore
import FaultServer
import Foundation
import Testing

@testable import DrayEngine

@Suite struct DigestFollowerTests {
  /// Longer than what is hashed at its end only.
  static let version = FaultServer.Version.named("followed", size: 20 << 20)

  static func digest(_ version: FaultServer.Version) -> DigestValue {
    DigestValue(.sha256, bytes: Array(SHA256.hash(data: version.content.bytes(in: 0..<version.content.size))))
  }

  static func offer(_ version: FaultServer.Version, _ answer: FaultServer.Answer = .normal) -> FaultServer.Answer {
    answer.with { $0.headers.append("Repr-Digest: sha-256=:\(digest(version).base64):") }
  }

  /// The digest that the transfer knows of its file; what follows is that it was offered, too.
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

  @Test("what was hashed is not hashed again where a server sends only so much at a time")
  func itGoesOnWithItsOwn() throws {
    let directory = try TemporaryDirectory()
    try directory.write([UInt8](repeating: 1, count: 10), to: "part")
    let part = try #require(try PartFile.open("part", in: try directory.open()))
    let follower = DigestFollower(part, [.sha256])
    follower.advance(to: 5)
    #expect(follower.serves(DigestFollower(part, [.sha256]), from: 5))
    #expect(!follower.serves(DigestFollower(part, [.sha256]), from: 4))
    #expect(!follower.serves(DigestFollower(part, [.md5]), from: 5))
    follower.stop()
    #expect(!follower.serves(DigestFollower(part, [.sha256]), from: 5))
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
