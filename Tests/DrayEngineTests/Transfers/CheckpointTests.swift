// A checkpoint covers the bytes and the version on disk, and nothing else (P4).

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

@Suite struct CheckpointTests {
  private let version = FaultServer.Version.named("v1", size: 1_000_000)

  @Test func itNeverCoversMoreThanTheFileHas() async throws {
    let (first, second) = (FaultServer.Gate(), FaultServer.Gate())
    let answer = FaultServer.Answer { $0.holds = [.gate(first, after: 300_000), .gate(second, after: 700_000)] }
    try await Site.use(version, answer) { site in
      let transfer = site.engine.start(try site.plan(), observer: Watcher())
      var last: Int64 = -1
      for (gate, offset) in [(first, 300_000), (second, 700_000)] as [(FaultServer.Gate, Int64)] {
        try #require(await eventually { transfer.received == offset })
        let checkpoint = try #require(try transfer.checkpoint())
        let prefix = checkpoint.segments.prefix
        let bytes = try #require(site.directory.bytes("part"))
        #expect(prefix > max(0, last) && prefix <= offset)
        #expect(Int64(bytes.count) >= prefix)
        #expect(bytes.prefix(Int(prefix)).elementsEqual(version.content.bytes(in: 0..<prefix)))
        #expect(checkpoint.size == 1_000_000)
        #expect(checkpoint.validators.etag == "\"v1\"")
        last = prefix
        gate.open()
      }
      #expect(await transfer.outcome().wholeSize == 1_000_000)
      #expect(try transfer.checkpoint()?.segments == SegmentSet(0..<1_000_000))
    }
  }

  @Test("P2 withdrawn bytes are never recorded again, whatever comes after")
  func endedCheckpoints() async throws {
    let gate = FaultServer.Gate()
    try await Site.use(version, .held(by: gate, after: 500_000)) { site in
      let transfer = site.engine.start(try site.plan(), observer: Watcher())
      try #require(await eventually { transfer.received == 500_000 })
      #expect(try transfer.checkpoint() != nil)
      transfer.endCheckpoints()
      #expect(try transfer.checkpoint() == nil)
      gate.open()
      #expect(await transfer.outcome().wholeSize == 1_000_000)
      #expect(try transfer.checkpoint() == nil)
    }
  }

  @Test func beforeTheFirstByteThereIsNothingToRecord() async throws {
    let gate = FaultServer.Gate()
    try await Site.use(version, .held(by: gate, after: 0)) { site in
      let transfer = site.engine.start(try site.plan(), observer: Watcher())
      try #require(await gate.waitForArrivals(seconds: 60))
      #expect(try transfer.checkpoint() == nil)
      gate.open()
      #expect(await transfer.outcome().wholeSize == 1_000_000)
    }
  }

  @Test func cancellingKeepsEveryByte() async throws {
    let gate = FaultServer.Gate()
    try await Site.use(version, .held(by: gate, after: 123_456)) { site in
      let transfer = site.engine.start(try site.plan(), observer: Watcher())
      try #require(await eventually { transfer.received == 123_456 })
      #expect(transfer.size == 1_000_000)
      transfer.cancel()
      #expect(await transfer.outcome().isCancelled)
      #expect(site.directory.bytes("part") == version.content.bytes(in: 0..<123_456))
      let checkpoint = try #require(try transfer.checkpoint())
      #expect(checkpoint.segments == SegmentSet(0..<123_456))

      // The next transfer continues from the recorded bytes.
      site.server.update("/file") { $0.script = [] }
      let next = await site.run(try site.plan(recorded: checkpoint))
      #expect(next.resumedFrom == 123_456)
      #expect(site.difference(version) == nil)
    }
  }

  @Test func cancellingBeforeTheStartIsAnEndToo() async throws {
    try await Site.use(version, .init { $0.latency = 3600 }) { site in
      let transfer = site.engine.start(try site.plan(), observer: Watcher())
      transfer.cancel()
      #expect(await transfer.outcome().isCancelled)
    }
  }

  @Test func stoppingTheEngineEndsItsTransfers() async throws {
    let gate = FaultServer.Gate()
    try await Site.use(version, .held(by: gate, after: 100_000)) { site in
      let transfer = site.engine.start(try site.plan(), observer: Watcher())
      try #require(await eventually { transfer.received == 100_000 })
      site.engine.stop()
      #expect(await transfer.outcome().wholeSize == nil)
      #expect(site.directory.bytes("part") == version.content.bytes(in: 0..<100_000))
    }
  }

  /// An overlap that was not compared to its end proves nothing.
  @Test func nothingIsRecordedWhileAnOverlapIsCompared() async throws {
    let anonymous = FaultServer.Version(version.content)
    let gate = FaultServer.Gate()
    try await Site.use(anonymous, .held(by: gate, after: 30_000)) { site in
      let recorded = try site.receivedBefore(500_000, of: anonymous)
      let transfer = site.engine.start(try site.plan(recorded: recorded, resume: .always), observer: Watcher())
      try #require(await gate.waitForArrivals(seconds: 60))
      #expect(try transfer.checkpoint() == nil)
      gate.open()
      #expect(await transfer.outcome().wholeSize == 1_000_000)
      #expect(site.difference(anonymous) == nil)
    }
  }
}
