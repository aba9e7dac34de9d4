// A file from its first byte to its last, with every framing.

import DrayCore
import FaultServer
import Foundation
import Testing

@testable import DrayEngine

@Suite struct FreshTransferTests {
  private let version = FaultServer.Version.named("v1", size: 300_000)

  @Test(arguments: [0, 1, 65_536, 300_000] as [Int64])
  func theWholeFileComes(_ size: Int64) async throws {
    let version = FaultServer.Version.named("v1", size: size)
    try await Site.use(version) { site in
      let watcher = Watcher()
      let outcome = await site.run(try site.plan(), watcher)
      #expect(outcome.wholeSize == size)
      #expect(outcome.proof == .proved)
      #expect(outcome.resumedFrom == 0)
      #expect(outcome.startedOver == nil)
      #expect(outcome.response?.head.validators.etag == "\"v1\"")
      #expect(site.difference(version) == nil)
      #expect(site.directory.status("part").map { $0.st_mode & 0o777 } == 0o600)
      #expect(watcher.now.answers.map(\.size) == [size])
      #expect(watcher.now.startsOver.isEmpty)
      let seen = try #require(site.server.requests("/file").first)
      #expect(seen["Accept-Encoding"] == "identity")
      #expect(seen["Range"] == nil)
      #expect(seen["User-Agent"] == RequestOptions.userAgent)
    }
  }

  @Test func chunksProveTheLength() async throws {
    try await Site.use(version, .init { $0.framing = .chunked(.init()) }) { site in
      let outcome = await site.run(try site.plan())
      #expect(outcome.wholeSize == 300_000)
      #expect(outcome.proof == .proved)
      #expect(site.difference(version) == nil)
    }
  }

  @Test func aPlainCloseDoesNot() async throws {
    try await Site.use(version, .init { $0.framing = .close }) { site in
      let outcome = await site.run(try site.plan())
      #expect(outcome.wholeSize == 300_000)
      #expect(outcome.proof == .unverified)
      #expect(site.difference(version) == nil)
    }
  }

  /// Incomplete by its length, by its chunks, or by a reset.
  @Test(arguments: [
    FaultServer.Answer.cut(after: 200_000), .cut(after: 200_000, .reset),
    .init {
      $0.framing = .chunked(.init())
      $0.bodyCut = 200_000
    },
    .init {
      $0.framing = .close
      $0.bodyCut = 200_000
      $0.ending = .reset
    },
  ])
  func aBodyThatIsCutIsKept(_ answer: FaultServer.Answer) async throws {
    try await Site.use(version, answer) { site in
      let transfer = site.engine.start(try site.plan(), observer: Watcher())
      let outcome = await transfer.outcome()
      #expect(outcome.wholeSize == nil)
      #expect(outcome.failure?.kind == .network)
      #expect(outcome.failure?.recovery == .retry)
      // A reset may discard bytes in flight.
      let kept = site.directory.bytes("part") ?? []
      #expect(outcome.reached == Int64(kept.count))
      #expect(kept == version.content.bytes(in: 0..<Int64(kept.count)))
      #expect(kept.count <= 200_000)
      if case .close = answer.ending { #expect(kept.count == 200_000) }
      #expect(try transfer.checkpoint()?.segments.prefix ?? 0 == Int64(kept.count))
    }
  }

  @Test func aPlantedSymlinkDoesNotGetTheBytes() async throws {
    try await Site.use(version) { site in
      try site.directory.write("victim".utf8, to: "victim")
      try FileManager.default.createSymbolicLink(atPath: site.directory["part"], withDestinationPath: "victim")
      let outcome = await site.run(try site.plan())
      #expect(outcome.wholeSize == 300_000)
      #expect(site.directory.bytes("victim") == Array("victim".utf8))
    }
  }

  @Test func theRateIsLimited() async throws {
    try await Site.use(version) { site in
      let limiter = RateLimiter(bytesPerSecond: 1_000_000)
      let start = ContinuousClock.now
      let outcome = await site.run(try site.plan(limiters: [limiter]))
      #expect(outcome.wholeSize == 300_000)
      // All but one piece (64 KiB) and the slack (0.1 s) must wait: the wait can be longer, never shorter.
      #expect(ContinuousClock.now - start >= .milliseconds(130))
      #expect(site.difference(version) == nil)
    }
  }
}
