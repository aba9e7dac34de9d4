// Several connections fetch one file: their requests, the failure of one, and that no byte of another version gets in
// (P2).

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

/// Answers at a pace at which more connections help.
private let slow = FaultServer.Answer { $0.rate = 1 << 20 }

/// The same, but the body waits for `gate` after `offset` bytes.
private func waiting(at gate: FaultServer.Gate, after offset: Int64 = 1 << 20) -> FaultServer.Answer {
  slow.with { $0.holds = [.gate(gate, after: offset)] }
}

@Suite(.serialized) struct SegmentTests {
  static let size: Int64 = 4 << 20
  private let version = FaultServer.Version.named("v1", size: SegmentTests.size)
  private let other = FaultServer.Version.named("v2", size: SegmentTests.size)

  private func plan(_ site: Site, _ connections: Int = 4, recorded: Checkpoint = Checkpoint()) throws -> TransferPlan {
    var plan = try site.plan(recorded: recorded)
    plan.maxConnections = connections
    return plan
  }

  /// Without a cut nothing is requested twice, and all ends agree (P18).
  @Test func connectionsOfTheirOwnFetchParts() async throws {
    let version = FaultServer.Version.named("v1", size: 3 * SegmentTests.size)
    let gate = FaultServer.Gate()
    try await Site.use(version, waiting(at: gate), helpful: 4) { site in
      let watcher = Watcher()
      let outcome = await site.run(try plan(site), watcher, holding: gate) { site.ranges.count >= 4 }
      #expect(outcome.wholeSize == 3 * SegmentTests.size)
      #expect(watcher.now.restarts.isEmpty)
      #expect(site.difference(version) == nil)
      let requests = site.server.requests("/file")
      #expect(requests.first?["Range"] == nil)
      #expect(requests.count >= 4)
      #expect(requests.dropFirst().allSatisfy { $0["If-Range"] == "\"v1\"" && $0.status == 206 })
      #expect(Set(requests.prefix(4).map(\.connection)).count == 4)
      // A connection closed early has sent a little more than was used.
      #expect(site.server.bytesSent("/file") < 3 * SegmentTests.size * 3 / 2)
    }
  }

  @Test func oneConnectionIsOne() async throws {
    try await Site.use(version, FaultServer.Answer { $0.rate = 8 << 20 }) { site in
      let outcome = await site.run(try plan(site, 1))
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.ranges == [nil])
    }
  }

  /// A server that makes a file while it sends it states the digest after it (P12).
  @Test func aDigestInTheTrailersOfTheRestCounts() async throws {
    let text = DigestValue(.sha256, bytes: [UInt8](repeating: 1, count: 32))
    let answer = FaultServer.Answer {
      $0.framing = .chunked(.init { $0.trailers = ["Repr-Digest: sha-256=:\(text.base64):"] })
    }
    try await Site.use(version, answer, helpful: 1) { site in
      let transfer = site.engine.start(
        try plan(site, recorded: try site.receivedBefore(100_000, of: version)), observer: Watcher())
      let outcome = await transfer.outcome()
      #expect(outcome.wholeSize == SegmentTests.size && outcome.resumedFrom == 100_000)
      #expect(site.ranges.count == 1)
      let offered = [SourcedDigest(text, DigestSource(rawValue: "Repr-Digest"))]
      #expect(outcome.offered == offered && outcome.response?.head.offeredDigests == offered)
      // A run that ends while it checks the file leaves the digest to the next one.
      #expect(try transfer.checkpoint()?.offered == offered)
      #expect(site.difference(version) == nil)
    }
  }

  @Test func thereAreNeverMoreThanAllowed() async throws {
    let gate = FaultServer.Gate()
    // More connections are known to help than are allowed.
    try await Site.use(.named("v1", size: 3 * SegmentTests.size), waiting(at: gate), helpful: 8) { site in
      let transfer = site.engine.start(try plan(site, 3), observer: Watcher())
      let watch = Task {
        var most = 0
        while !Task.isCancelled {
          most = max(most, transfer.connections)
          try? await Task.sleep(for: .milliseconds(5))
        }
        return most
      }
      #expect(await eventually { transfer.connections == 3 })
      gate.open()
      _ = await transfer.outcome()
      watch.cancel()
      #expect(await watch.value <= 3)
    }
  }

  /// An answer of another version concerns its additional connection only, whether or not the server applies the
  /// condition: the first answer is of one version, and goes on (P2).
  @Test(arguments: [false, true])
  func anotherVersionEndsOneConnection(ignoresCondition: Bool) async throws {
    let changed = FaultServer.Answer {
      $0.version = FaultServer.Version.named("v2", size: SegmentTests.size)
      $0.ignoresIfRange = ignoresCondition
    }
    let gate = FaultServer.Gate()
    try await Site.use(version, waiting(at: gate), changed, .normal, helpful: 4) { site in
      let watcher = Watcher()
      let outcome = await site.run(try plan(site), watcher, holding: gate) { site.ranges.count >= 2 }
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(version) == nil)
      #expect(outcome.startedOver == nil && watcher.now.startsOver.isEmpty)
      #expect(site.server.requests("/file").first?.bodySent == SegmentTests.size)
    }
  }

  /// The rest is requested again only if no connection delivers it, and only the answer to that request starts a new
  /// file.
  @Test func anotherVersionAgainIsANewFile() async throws {
    let gate = FaultServer.Gate()
    let lead = waiting(at: gate).with { $0.bodyCut = 2 << 20 }
    try await Site.use(version, lead, .changed(to: other), .normal, helpful: 2) { site in
      let watcher = Watcher()
      let outcome = await site.run(try plan(site), watcher, holding: gate) { site.ranges.count >= 2 }
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(other) == nil)
      #expect(outcome.startedOver == .changed("ETag was \"v1\" and is \"v2\""))
      #expect(outcome.resumedFrom == 0)
      #expect(watcher.now.startsOver.count == 1)
      // The new version is requested once, and not in parts again.
      #expect(site.ranges.count <= 4)
    }
  }

  /// Nothing is recorded of the old version once bytes of the new one are written (P2, P4).
  @Test func theOldVersionIsForgottenFirst() async throws {
    let gate = FaultServer.Gate()
    let lead = waiting(at: gate).with { $0.bodyCut = 2 << 20 }
    try await Site.use(version, lead, .changed(to: other), .normal, helpful: 2) { site in
      let watcher = Watcher(holds: true)
      let transfer = site.engine.start(try plan(site), observer: watcher)
      #expect(await eventually { site.ranges.count >= 2 })
      gate.open()
      #expect(await eventually { !watcher.now.startsOver.isEmpty })
      #expect(try transfer.checkpoint() == nil)
      watcher.decide(.given)
      #expect(await transfer.outcome().wholeSize == SegmentTests.size)
      #expect(try transfer.checkpoint()?.validators.etag == "\"v2\"")
      #expect(site.difference(other) == nil)
    }
  }

  /// However the second connection ends, the first one fetches its bytes.
  @Test(
    "the first connection takes back the bytes that a second does not deliver",
    arguments: [
      FaultServer.Answer { $0.ignoresRange = true }, .status(503), .status(429, headers: ["Retry-After: 60"]),
      .status(403), .cut(after: 0, .reset), .raw("HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n\r\n"),
      FaultServer.Answer { $0.start = .shifted(1) }, FaultServer.Answer { $0.multipart = true },
      FaultServer.Answer(200) {
        $0.body = Array("too many connections".utf8)
        $0.headers = ["Content-Type: text/html"]
        $0.without = ["etag", "last-modified", "ETag", "Last-Modified"]
      },
    ])
  func theFirstTakesBack(second: FaultServer.Answer) async throws {
    try await Site.use(version, slow, second) { site in
      let watcher = Watcher()
      let outcome = await site.run(try plan(site), watcher)
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(version) == nil)
      #expect(outcome.startedOver == nil)
      #expect(watcher.now.startsOver.isEmpty)
      #expect(site.server.requests("/file").first?.bodySent == SegmentTests.size)
    }
  }

  /// Some networks answer 200 to an If-Range that holds (R3): If-Match brings the part.
  @Test func anotherConditionIsTried() async throws {
    let gate = FaultServer.Gate()
    let lead = waiting(at: gate).with { $0.refusesIfRange = true }
    try await Site.use(version, lead, slow.with { $0.refusesIfRange = true }, helpful: 2) { site in
      let outcome = await site.run(try plan(site), holding: gate) {
        site.server.requests("/file").contains { $0["If-Match"] != nil }
      }
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(version) == nil)
      #expect(outcome.startedOver == nil)
      #expect(site.server.requests("/file").contains { $0["If-Match"] == "\"v1\"" && $0.status == 206 })
    }
  }

  /// A server that sends one byte at a time does not get four million requests (P13).
  @Test func tinyAnswersComeToAnEnd() async throws {
    let gate = FaultServer.Gate()
    try await Site.use(version, waiting(at: gate), FaultServer.Answer { $0.rangeLimit = 1 }, helpful: 2) { site in
      let outcome = await site.run(try plan(site), holding: gate) { site.ranges.count >= 2 }
      #expect(outcome.failure?.recovery == .retry)
      #expect(outcome.reached > 1 << 20)
      #expect(site.ranges.count < 100)
    }
  }

  @Test func aPartFileThatSomebodyCutIsFilledInItsOrder() async throws {
    try await Site.use(version, slow) { site in
      try site.directory.write(version.content.bytes(in: 0..<2_500_000), to: "part")
      let recorded = Checkpoint(
        segments: try #require(SegmentSet("0-1048576,2097152-3145728")), size: SegmentTests.size,
        validators: Validators(etag: version.etag),
        provenance: Provenance(url: try RequestURL.parse(site.server.url("/file")).url))
      let outcome = await site.run(try plan(site, recorded: recorded))
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(outcome.resumedFrom == 1 << 20)
      #expect(site.difference(version) == nil)
      #expect(site.ranges == ["bytes=983040-"])
    }
  }

  @Test func aPartThatIsCutOffIsFetchedFromWhereItEnded() async throws {
    // The first connection does not end before the rest is requested again.
    let gate = FaultServer.Gate()
    try await Site.use(
      version, waiting(at: gate),
      slow.with {
        $0.bodyCut = 300_000; $0.ending = .reset
      }, slow, helpful: 2
    ) { site in
      let outcome = await site.run(try plan(site), holding: gate) { site.ranges.count >= 3 }
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(version) == nil)
      #expect(site.server.bytesSent("/file") < SegmentTests.size * 3 / 2)
    }
  }

  @Test func theOthersGoOnWhenTheFirstIsCutOff() async throws {
    let (first, second, third) = (FaultServer.Gate(), FaultServer.Gate(), FaultServer.Gate())
    let place: Int64 = 256 << 10
    let cut = FaultServer.Answer {
      $0.holds = [.gate(first, after: place)]
      $0.bodyCut = place
      $0.ending = .reset
    }
    // None of the others ends before its gate opens, however busy the machine.
    let others = [second, third].map { FaultServer.Answer.held(by: $0, after: 100_000) }
    try await Site.use(version, cut, others[0], others[1], .normal, helpful: 3) { site in
      let transfer = site.engine.start(try plan(site), observer: Watcher())
      #expect(await eventually { transfer.received == place + 200_000 }, "\(transfer.received) \(site.ranges)")
      first.open()
      #expect(await eventually { transfer.connections == 2 })
      // One of them ends. After a moment for the server to recover, a new connection requests the missing bytes while
      // the other one continues.
      third.open()
      // An eighth of what the first one gave is compared.
      let rest = "bytes=\(place - place / 8)-"
      #expect(await eventually { site.ranges.contains { $0?.hasPrefix(rest) ?? false } }, "\(site.ranges)")
      second.open()
      let outcome = await transfer.outcome()
      #expect(outcome.wholeSize == SegmentTests.size, "\(outcome.end)")
      #expect(site.difference(version) == nil)
    }
  }

  /// The default stall timeout. It ends a silent connection if nothing ends it earlier.
  private func patient(_ plan: TransferPlan) -> TransferPlan {
    var plan = plan
    plan.request.stallTimeout = 30
    return plan
  }

  @Test func aPartThatStandsStillIsFetchedElsewhere() async throws {
    let stuck = slow.with { $0.holds = [.stall(after: 100_000, seconds: 60)] }
    try await Site.use(version, slow, stuck, slow) { site in
      let outcome = await site.run(try patient(plan(site)))
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(version) == nil)
    }
  }

  @Test func aServerThatLeavesSecondConnectionsWaitingLosesNothing() async throws {
    try await Site.use(version, slow, FaultServer.Answer { $0.latency = 60 }) { site in
      let outcome = await site.run(try patient(plan(site, 2)))
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(version) == nil)
      #expect(site.server.requests("/file").first?.bodySent == SegmentTests.size)
    }
  }

  // MARK: Going on

  @Test(arguments: [1, 4])
  func onlyWhatIsMissingIsAskedFor(connections: Int) async throws {
    try await Site.use(version) { site in
      let here = SegmentSet("0-1048576,2097152-3145728")
      try site.directory.write(version.content.bytes(in: 0..<3_145_728), to: "part")
      let recorded = Checkpoint(
        segments: try #require(here), size: SegmentTests.size, validators: Validators(etag: version.etag))
      let watcher = Watcher()
      let outcome = await site.run(try plan(site, connections, recorded: recorded), watcher)
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(outcome.resumedFrom == 2 << 20)
      #expect(watcher.now.answers.map(\.from) == [2 << 20])
      #expect(site.difference(version) == nil)
      let sent = site.server.bytesSent("/file")
      // Overlaps and compared places are sent twice; bytes taken over from another connection may have been in flight.
      #expect(sent >= 2 << 20 && sent < 3 << 20)
    }
  }

  /// Bytes written before the stop are recorded, with their gaps, and not fetched again (P4).
  @Test func whatWasStoppedGoesOnInItsGaps() async throws {
    let held = waiting(at: FaultServer.Gate(), after: 200_000)
    try await Site.use(version, held, helpful: 4) { site in
      let transfer = site.engine.start(try plan(site), observer: Watcher())
      #expect(await eventually { site.ranges.count == 4 && transfer.received == 800_000 })
      transfer.cancel()
      #expect(await transfer.outcome().isCancelled)
      let checkpoint = try #require(try transfer.checkpoint())
      #expect(checkpoint.segments.segments.count == 4)
      #expect(checkpoint.segments.count == transfer.received)
      let before = site.server.requests("/file").count
      site.server.update("/file") { $0.script = [slow] }

      let outcome = await site.run(try plan(site, recorded: checkpoint))
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(version) == nil)
      let again = site.server.requests("/file").dropFirst(before)
      #expect(again.allSatisfy { $0["Range"] != nil })
      #expect(
        again.reduce(0) { $0 + $1.bodySent } < (SegmentTests.size - checkpoint.segments.count) * 3 / 2 + (1 << 20))
    }
  }

  @Test func gapsBehindNothingThatIdentifiesThemAreGivenUp() async throws {
    let anonymous = FaultServer.Version(version.content)
    try await Site.use(anonymous) { site in
      try site.directory.write(version.content.bytes(in: 0..<3_145_728), to: "part")
      var plan = try site.plan(
        recorded: Checkpoint(
          segments: try #require(SegmentSet("0-1048576,2097152-3145728")), size: SegmentTests.size),
        resume: .always)
      plan.maxConnections = 4
      let outcome = await site.run(plan)
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(anonymous) == nil)
      // The origin of the bytes was not recorded, so the start and the middle are compared, too.
      #expect(site.ranges == ["bytes=983040-", "bytes=0-65535", "bytes=491520-557055", "bytes=983040-"])
    }
  }
}
