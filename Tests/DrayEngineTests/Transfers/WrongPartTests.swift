// Parts that contradict their heads: none of their bytes are kept (R9, R28, H15; P2).

import Crypto
import DrayCore
import FaultServer
import Foundation
import Testing

@testable import DrayEngine

@Suite struct WrongPartTests {
  private static let size: Int64 = 300_000
  private let version = FaultServer.Version.named("v1", size: WrongPartTests.size)

  /// A 206 whose head is valid, but whose body is the whole file.
  private var whole: FaultServer.Answer {
    FaultServer.Answer(206) { $0.body = version.content.bytes(in: 0..<WrongPartTests.size) }
  }

  private var chunked: FaultServer.Answer { whole.with { $0.framing = .chunked(.init()) } }

  private static func digest(_ bytes: [UInt8]) -> String {
    "Content-Digest: sha-256=:\(Data(SHA256.hash(data: bytes)).base64EncodedString()):"
  }

  private static let wrongDigest = FaultServer.Answer { $0.headers = [digest([1, 2, 3])] }

  /// The first answer to the request for the rest is wrong: the next must prove its position.
  @Test func aWrongPartIsAskedForOnceMore() async throws {
    let wrong = [
      whole, chunked, chunked.with { $0.bodyCut = 100_000 }, whole.with { $0.framing = .close },
      FaultServer.Answer {
        $0.framing = .chunked(.init())
        $0.excess = 100_000
      },
      FaultServer.Answer { $0.headers = ["Content-Length: 1"] }, WrongPartTests.wrongDigest,
      FaultServer.Answer { $0.headers = ["Content-MD5: 1B2M2Y8AsgTpgAmY7PhCfg=="] },
    ]
    for (index, answer) in wrong.enumerated() {
      try await Site.use(version, answer, .normal) { site in
        let watcher = Watcher()
        let outcome = await site.run(try site.plan(recorded: try site.receivedBefore(100_000, of: version)), watcher)
        #expect(outcome.wholeSize == WrongPartTests.size, "\(index)")
        #expect(outcome.resumedFrom == 100_000 && outcome.startedOver == nil, "\(index)")
        #expect(site.difference(version) == nil, "\(index)")
        #expect(site.ranges.count == 2 && Self.areAskedAgain(site.ranges), "\(index): \(site.ranges)")
        #expect(site.server.requests("/file").allSatisfy { $0["If-Range"] == "\"v1\"" })
        #expect(Set(site.server.requests("/file").map(\.connection)).count == 2, "\(index)")
      }
    }
  }

  /// Whether the same range was requested twice, the second time with an overlap based on the first answer, and then
  /// the whole file.
  private static func areAskedAgain(_ ranges: [String?]) -> Bool {
    let (first, overlaps) = ("bytes=34464-", ["bytes=34464-", "bytes=66808-"])
    return ranges[0] == first && overlaps.contains(ranges[1] ?? "") && ranges.dropFirst(2).allSatisfy { $0 == nil }
  }

  /// If the second answer is wrong, too, a plain GET fetches the whole file.
  @Test func theSecondTimeItIsTheWhole() async throws {
    let late = FaultServer.Answer {
      $0.framing = .chunked(.init())
      $0.excess = 1
    }
    for (index, answer) in [whole, late, WrongPartTests.wrongDigest].enumerated() {
      try await Site.use(version, answer, answer, .normal) { site in
        let watcher = Watcher()
        let outcome = await site.run(try site.plan(recorded: try site.receivedBefore(100_000, of: version)), watcher)
        #expect(outcome.wholeSize == WrongPartTests.size, "\(index)")
        #expect(outcome.resumedFrom == 0)
        #expect(site.difference(version) == nil, "\(index)")
        #expect(site.ranges.count == 3 && Self.areAskedAgain(site.ranges), "\(index): \(site.ranges)")
        #expect(watcher.now.startsOver.count == 1)
        if case .badAnswer? = outcome.startedOver {} else { Issue.record("\(index): \(outcome)") }
      }
    }
  }

  /// A wrong part is given up durably before anything is written in its place (P2, P4).
  @Test func whatItBroughtIsGivenUpFirst() async throws {
    try await Site.use(version, WrongPartTests.wrongDigest, .normal) { site in
      let watcher = Watcher(holds: true)
      let transfer = site.engine.start(
        try site.plan(recorded: try site.receivedBefore(100_000, of: version)), observer: watcher)
      try #require(await eventually { !watcher.now.takenBack.isEmpty })
      #expect(watcher.now.takenBack.map(\.segments) == [SegmentSet(0..<100_000)])
      #expect(watcher.now.takenBack.first?.validators.etag == "\"v1\"")
      // Only the recorded bytes are on disk, so that a record that covers more would be wrong.
      #expect(site.directory.bytes("part") == version.content.bytes(in: 0..<100_000))
      try #require(await eventually { site.ranges.count == 2 })
      #expect(try transfer.checkpoint()?.segments == SegmentSet(0..<100_000))
      #expect(transfer.received == 100_000)
      watcher.decide(.given)
      #expect(await transfer.outcome().wholeSize == WrongPartTests.size)
      #expect(site.difference(version) == nil)
      #expect(watcher.now.order == ["from 100000", "restarts", "from 100000"])
    }
  }

  @Test func withoutPermissionNothingIsWrittenInItsPlace() async throws {
    try await Site.use(version, WrongPartTests.wrongDigest, .normal) { site in
      let refusal = Failure(.store, "the store", "it is full")
      let watcher = Watcher(holds: true)
      watcher.decide(.refused(refusal))
      let outcome = await site.run(try site.plan(recorded: try site.receivedBefore(100_000, of: version)), watcher)
      #expect(outcome.failure == refusal)
      #expect(site.directory.bytes("part") == version.content.bytes(in: 0..<100_000))
    }
  }

  /// The digest of the whole file covers no byte of a part that was taken back.
  @Test func whatWasHashedOfItIsHashedAgain() async throws {
    let version = FaultServer.Version.named("v1", size: 9 << 20)
    let bytes = version.content.bytes(in: 0..<version.content.size)
    try await Site.use(version, WrongPartTests.wrongDigest, .normal) { site in
      var plan = try site.plan(recorded: try site.receivedBefore(100_000, of: version), digestIsKnown: true)
      let expected = try DigestValue.parse("sha-256=" + Data(SHA256.hash(data: bytes)).base64EncodedString())
      plan.expected.digest = expected
      let transfer = site.engine.start(plan, observer: Watcher())
      let outcome = await transfer.outcome()
      guard case .whole(let part, let size, _) = outcome.end else {
        Issue.record("\(outcome)")
        return
      }
      #expect(try transfer.digests([.sha256], of: part, size: size) { false } == [expected])
      #expect(site.ranges.count == 2)
    }
  }

  @Test func aPartThatIsRightByItsDigestIsTaken() async throws {
    let rest = version.content.bytes(in: 34_464..<WrongPartTests.size)
    let good = FaultServer.Answer { $0.headers = [WrongPartTests.digest(rest)] }
    try await Site.use(version, good) { site in
      let outcome = await site.run(try site.plan(recorded: try site.receivedBefore(100_000, of: version)))
      #expect(outcome.wholeSize == WrongPartTests.size && site.ranges == ["bytes=34464-"])
      #expect(site.difference(version) == nil)
    }
  }

  /// With `--verify none` this is ignored too.
  @Test func withVerifyNoneItDoesNotCount() async throws {
    try await Site.use(version, WrongPartTests.wrongDigest) { site in
      var plan = try site.plan(recorded: try site.receivedBefore(100_000, of: version))
      plan.verify = .none
      #expect(await site.run(plan).wholeSize == WrongPartTests.size)
      #expect(site.ranges.count == 1)
    }
  }

  /// R28, over one of several connections.
  @Test func oneOfSeveralConnectionsIsWrong() async throws {
    let size: Int64 = 4 << 20
    let version = FaultServer.Version.named("v1", size: size)
    let body = version.content.bytes(in: 0..<size)
    let wrong = FaultServer.Answer(206) { $0.body = body }
    for (index, answer) in [wrong, wrong.with { $0.framing = .chunked(.init()) }, WrongPartTests.wrongDigest]
      .enumerated()
    {
      let gate = FaultServer.Gate()
      let lead = FaultServer.Answer {
        $0.rate = 1 << 20
        $0.holds = [.gate(gate, after: 1 << 20)]
      }
      try await Site.use(version, lead, answer, .normal, helpful: 2) { site in
        var plan = try site.plan()
        plan.maxConnections = 4
        let watcher = Watcher()
        let outcome = await site.run(plan, watcher, holding: gate) { site.ranges.count >= 2 }
        #expect(outcome.wholeSize == size, "\(index)")
        #expect(site.difference(version) == nil, "\(index)")
        #expect(outcome.startedOver == nil && watcher.now.startsOver.isEmpty, "\(index)")
      }
    }
  }

  /// A server that does so repeatedly: once the first connection is cut, too, the whole file over one connection.
  @Test func aServerThatKeepsBeingWrongIsAskedForTheWhole() async throws {
    let size: Int64 = 4 << 20
    let version = FaultServer.Version.named("v1", size: size)
    let body = version.content.bytes(in: 0..<size)
    let wrong = FaultServer.Answer(206) { $0.body = body }
    let gate = FaultServer.Gate()
    let lead = FaultServer.Answer {
      $0.holds = [.gate(gate, after: 1 << 20)]
      $0.bodyCut = 2 << 20
    }
    try await Site.use(version, lead, wrong, wrong, .normal, helpful: 2) { site in
      var plan = try site.plan()
      plan.maxConnections = 4
      let watcher = Watcher()
      let outcome = await site.run(plan, watcher, holding: gate) { site.ranges.count >= 2 }
      #expect(outcome.wholeSize == size)
      #expect(site.difference(version) == nil)
      // The first request, and the restart.
      #expect(site.ranges.count { $0 == nil } == 2)
      // Wrong answers are not those of two versions.
      #expect(watcher.now.startsOver.count == 1 && watcher.now.limits.isEmpty)
    }
  }
}
