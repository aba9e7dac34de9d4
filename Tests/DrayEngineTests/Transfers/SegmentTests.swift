// Several connections fetch one file: what they ask for, what happens when one fails, and that no byte of another version
// gets in (issue 4; P2).

import DrayCore
import FaultServer
import Synchronization
import Testing

@testable import DrayEngine

/// Answers at a pace at which more connections help.
private let slow = FaultServer.Answer { $0.rate = 1 << 20 }

@Suite(.serialized) struct SegmentTests {
  fileprivate static let size: Int64 = 4 << 20
  private let version = FaultServer.Version.named("v1", size: SegmentTests.size)
  private let other = FaultServer.Version.named("v2", size: SegmentTests.size)

  private func plan(_ site: Site, _ connections: Int = 4, recorded: Checkpoint = Checkpoint()) throws -> TransferPlan {
    var plan = try site.plan(recorded: recorded)
    plan.maxConnections = connections
    return plan
  }

  @Test func connectionsOfTheirOwnFetchParts() async throws {
    let version = FaultServer.Version.named("v1", size: 3 * SegmentTests.size)
    try await Site.use(version, slow) { site in
      let outcome = await site.run(try plan(site))
      #expect(outcome.wholeSize == 3 * SegmentTests.size)
      #expect(site.difference(version) == nil)
      let requests = site.server.requests("/file")
      #expect(requests.first?["Range"] == nil)
      #expect(requests.count >= 4)
      #expect(requests.dropFirst().allSatisfy { $0["If-Range"] == "\"v1\"" && $0.status == 206 })
      #expect(Set(requests.prefix(4).map(\.connection)).count == 4)
      // What is closed early has sent a little more than was taken.
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

  @Test func thereAreNeverMoreThanAllowed() async throws {
    try await Site.use(.named("v1", size: 3 * SegmentTests.size), slow) { site in
      let transfer = site.engine.start(try plan(site, 3), observer: Watcher())
      var most = 0
      let watch = Task {
        var most = 0
        while !Task.isCancelled {
          most = max(most, transfer.connections)
          try? await Task.sleep(for: .milliseconds(5))
        }
        return most
      }
      _ = await transfer.outcome()
      watch.cancel()
      most = await watch.value
      #expect(most == 3)
    }
  }

  /// One answer of another version is one too many, whether the server heeds the condition or not (P2).
  @Test(arguments: [false, true])
  func anotherVersionDropsAll(ignoresCondition: Bool) async throws {
    let changed = FaultServer.Answer {
      $0.version = FaultServer.Version.named("v2", size: SegmentTests.size)
      $0.ignoresIfRange = ignoresCondition
    }
    try await Site.use(version, slow, changed, .normal) { site in
      let watcher = Watcher()
      let outcome = await site.run(try plan(site), watcher)
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(other) == nil)
      #expect(outcome.startedOver == .changed("ETag was \"v1\" and is \"v2\""))
      #expect(outcome.resumedFrom == 0)
      #expect(watcher.now.startsOver.count == 1)
      // Once, and not in parts again.
      #expect(site.ranges.last == .some(nil))
    }
  }

  /// Nothing is claimed of the old version once bytes of the new one are written (P2, P4).
  @Test func theOldVersionIsForgottenFirst() async throws {
    try await Site.use(version, slow, .changed(to: other), .normal) { site in
      let watcher = Watcher(holds: true)
      let transfer = site.engine.start(try plan(site), observer: watcher)
      #expect(await eventually { !watcher.now.startsOver.isEmpty })
      #expect(try transfer.checkpoint() == nil)
      watcher.decide(.given)
      #expect(await transfer.outcome().wholeSize == SegmentTests.size)
      #expect(try transfer.checkpoint()?.validators.etag == "\"v2\"")
      #expect(site.difference(other) == nil)
    }
  }

  /// Whatever happens to the second connection, the first brings what was to come over it.
  @Test(
    "the first connection takes back what a second does not bring",
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
    try await Site.use(version, slow.with { $0.refusesIfRange = true }) { site in
      let outcome = await site.run(try plan(site))
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(version) == nil)
      #expect(outcome.startedOver == nil)
      #expect(site.server.requests("/file").contains { $0["If-Match"] == "\"v1\"" && $0.status == 206 })
    }
  }

  /// A server that sends one byte at a time is not asked four million times (P13).
  @Test func tinyAnswersComeToAnEnd() async throws {
    try await Site.use(version, slow, FaultServer.Answer { $0.rangeLimit = 1 }) { site in
      let outcome = await site.run(try plan(site))
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
        validators: Validators(etag: version.etag))
      let outcome = await site.run(try plan(site, recorded: recorded))
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(outcome.resumedFrom == 1 << 20)
      #expect(site.difference(version) == nil)
      #expect(site.ranges == ["bytes=1048576-"])
    }
  }

  @Test func aPartThatIsCutOffIsFetchedFromWhereItEnded() async throws {
    try await Site.use(
      version, slow,
      slow.with {
        $0.bodyCut = 300_000; $0.ending = .reset
      }, slow
    ) { site in
      let outcome = await site.run(try plan(site))
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(version) == nil)
      #expect(site.server.bytesSent("/file") < SegmentTests.size * 3 / 2)
    }
  }

  @Test func theOthersGoOnWhenTheFirstIsCutOff() async throws {
    let (gate, other) = (FaultServer.Gate(), FaultServer.Gate())
    let cut = slow.with {
      $0.holds = [.gate(gate, after: 1 << 20)]
      $0.bodyCut = (1 << 20) + 1000
      $0.ending = .reset
    }
    // It does not end before that, however busy the machine.
    let held = slow.with { $0.holds = [.gate(other, after: 100_000)] }
    try await Site.use(version, cut, held, slow) { site in
      let transfer = site.engine.start(try plan(site), observer: Watcher())
      #expect(await eventually { gate.arrivals > 0 && other.arrivals > 0 })
      gate.open()
      // After a moment for the server to recover, what is missing is asked for again, as long as another goes on.
      #expect(
        await eventually {
          site.server.requests("/file").contains { $0["Range"]?.hasPrefix("bytes=\((1 << 20) + 1000)-") ?? false }
        })
      other.open()
      let outcome = await transfer.outcome()
      #expect(outcome.wholeSize == SegmentTests.size, "\(outcome.end)")
      #expect(site.difference(version) == nil)
    }
  }

  @Test func aPartThatStandsStillIsFetchedElsewhere() async throws {
    let stuck = slow.with { $0.holds = [.stall(after: 100_000, seconds: 60)] }
    try await Site.use(version, slow, stuck, slow) { site in
      let outcome = await site.run(try plan(site))
      #expect(outcome.wholeSize == SegmentTests.size)
      #expect(site.difference(version) == nil)
    }
  }

  @Test func aServerThatLeavesSecondConnectionsWaitingLosesNothing() async throws {
    try await Site.use(version, slow, FaultServer.Answer { $0.latency = 60 }) { site in
      let outcome = await site.run(try plan(site, 2))
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
      #expect(site.server.bytesSent("/file") == 2 << 20)
    }
  }

  /// What was written when it was stopped is claimed, gaps and all, and nothing of it is fetched again (P4).
  @Test func whatWasStoppedGoesOnInItsGaps() async throws {
    try await Site.use(version, slow) { site in
      let transfer = site.engine.start(try plan(site), observer: Watcher())
      #expect(await eventually { transfer.received > 2 << 20 })
      transfer.cancel()
      #expect(await transfer.outcome().isCancelled)
      let checkpoint = try #require(try transfer.checkpoint())
      #expect(checkpoint.segments.segments.count > 1)
      #expect(checkpoint.segments.count == transfer.received)
      let before = site.server.requests("/file").count

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
      #expect(site.ranges == ["bytes=\((1 << 20) - (64 << 10))-"])
    }
  }
}

@Suite(.serialized) struct ConnectionMemoryTests {
  @Test func aServerThatDisagreesWithItselfGetsOneConnectionFromThenOn() async throws {
    let (old, new) = (
      FaultServer.Version.named("v1", size: SegmentTests.size), FaultServer.Version.named("v2", size: SegmentTests.size)
    )
    try await Site.use(old, slow, .changed(to: new), slow) { site in
      var plan = try site.plan()
      plan.maxConnections = 8
      _ = await site.run(plan)
      let before = site.ranges.count
      let again = await site.run(plan)
      #expect(again.wholeSize == SegmentTests.size)
      #expect(site.ranges.dropFirst(before).map { $0 } == [nil])
    }
  }

  @Test func whatHelpedIsUsedAtOnceByTheNext() async throws {
    let learned = Mutex<[String: Int]>([:])
    let memory = ConnectionMemory(["http://127.0.0.1": 1]) { origin, count in learned.withLock { $0[origin] = count } }
    let server = try FaultServer()
    defer { server.stop() }
    let engine = try Engine(connections: memory)
    defer { engine.stop() }
    server["/file"] = .init(.named("v1", size: 48 << 20), script: [FaultServer.Answer { $0.rate = 2 << 20 }])
    let site = Site(server: server, engine: engine, directory: try TemporaryDirectory())
    var plan = try site.plan()
    plan.maxConnections = 8
    #expect(await site.run(plan).wholeSize == 48 << 20)
    let name = "http://127.0.0.1:\(server.port)"
    let helpful = try #require(learned.withLock { $0[name] })
    #expect(helpful > 1 && helpful <= 8)
    #expect(learned.withLock { $0.count } == 1)
  }
}
