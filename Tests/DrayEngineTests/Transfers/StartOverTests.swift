// Bytes of two versions never meet: the old ones are given up in the record before one new one is written (P2).

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

@Suite struct StartOverTests {
  private let old = FaultServer.Version.named("v1", size: 300_000)
  private let new = FaultServer.Version.named("v2", size: 280_000)
  private let twin = FaultServer.Version.named("v3", size: 300_000)

  /// The answers to a request for the rest that make the transfer fetch the whole file.
  @Test(
    arguments: [
      ("R2: another ETag", .normal, "v2"), ("R4: another ETag in a 206", .init { $0.ignoresIfRange = true }, "v3"),
      ("R5: no ETag in a 206", .init { $0.without = ["ETag"] }, "v1"),
      ("R6: another total", .init { $0.ignoresIfRange = true }, "v2"),
      ("R7: from the start", .init { $0.start = .at(0) }, "v1"),
      ("R7: earlier", .init { $0.start = .shifted(-10) }, "v1"),
      ("R7: later", .init { $0.start = .shifted(10) }, "v1"),
      ("R10: no range", .init { $0.without = ["Content-Range"] }, "v1"),
      ("R11: no sense", .init { $0.headers = ["Content-Range: bytes 9-5/10"] }, "v1"),
      ("R12: several", .init { $0.multipart = true }, "v1"),
      ("R12: compressed", .init { $0.headers = ["Content-Encoding: gzip"] }, "v1"),
      ("R15: bare 416", .init(416) { $0.without = ["Content-Range"] }, "v1"),
      ("R15: smaller", .init(416) { $0.headers = ["Content-Range: bytes */9"] }, "v1"),
      ("R16: 304", .status(304), "v1"),
      ("R16: 412", .status(412), "v1"),
    ] as [(String, FaultServer.Answer, String)])
  func oneRestart(_ name: String, _ answer: FaultServer.Answer, _ served: String) async throws {
    let version = try #require(["v1": old, "v2": new, "v3": twin][served])
    try await Site.use(version, answer, .normal) { site in
      let watcher = Watcher()
      let outcome = await site.run(try site.plan(recorded: try site.receivedBefore(100_000, of: old)), watcher)
      #expect(outcome.wholeSize == version.content.size)
      #expect(outcome.startedOver != nil)
      #expect(watcher.now.startsOver.count == 1)
      // Counts never fall unannounced.
      #expect(watcher.now.order == ["restarts", "from 0"])
      #expect(site.difference(version) == nil)
      #expect(site.ranges.first == "bytes=34464-")
      #expect(site.ranges.count <= 2)
    }
  }

  @Test func noNewByteIsWrittenBeforeTheOldOnesAreGivenUp() async throws {
    try await Site.use(new) { site in
      let recorded = try site.receivedBefore(100_000, of: old)
      let watcher = Watcher(holds: true)
      let transfer = site.engine.start(try site.plan(recorded: recorded), observer: watcher)
      try #require(await eventually { !watcher.now.startsOver.isEmpty })
      // By now the server has filled the buffers on the way.
      try #require(await site.server.waitForBytes("/file", count: 65_536, seconds: 60))
      #expect(site.directory.bytes("part") == old.content.bytes(in: 0..<100_000))
      #expect(try transfer.checkpoint() == nil)
      #expect(transfer.received == 0)
      watcher.decide(.given)
      let outcome = await transfer.outcome()
      #expect(outcome.wholeSize == 280_000)
      #expect(site.difference(new) == nil)
      let checkpoint = try #require(try transfer.checkpoint())
      #expect(checkpoint.validators.etag == "\"v2\"")
      #expect(checkpoint.segments == SegmentSet(0..<280_000))
    }
  }

  @Test func withoutPermissionTheOldBytesStay() async throws {
    try await Site.use(new) { site in
      let recorded = try site.receivedBefore(100_000, of: old)
      let watcher = Watcher(holds: true)
      let refusal = Failure(.store, "the store", "it is full")
      watcher.decide(.refused(refusal))
      let outcome = await site.run(try site.plan(recorded: recorded), watcher)
      #expect(outcome.failure == refusal)
      #expect(site.directory.bytes("part") == old.content.bytes(in: 0..<100_000))
    }
  }

  @Test func cancellingWhileItWaitsWritesNothing() async throws {
    try await Site.use(new) { site in
      let recorded = try site.receivedBefore(100_000, of: old)
      let watcher = Watcher(holds: true)
      let transfer = site.engine.start(try site.plan(recorded: recorded), observer: watcher)
      try #require(await eventually { !watcher.now.startsOver.isEmpty })
      transfer.cancel()
      #expect(await transfer.outcome().isCancelled)
      #expect(site.directory.bytes("part") == old.content.bytes(in: 0..<100_000))
      watcher.decide(.given)
    }
  }

  /// Permission may arrive after the transfer has ended and another one writes to the same file.
  @Test func permissionAfterTheEndTouchesNothing() async throws {
    try await Site.use(new, .cut(after: 1000)) { site in
      let recorded = try site.receivedBefore(100_000, of: old)
      let late = Watcher(holds: true)
      let transfer = site.engine.start(try site.plan(recorded: recorded), observer: late)
      try #require(await eventually { !late.now.startsOver.isEmpty })
      transfer.cancel()
      _ = await transfer.outcome()
      site.server.update("/file") { $0 = .init(old) }
      let next = await site.run(try site.plan(recorded: recorded))
      #expect(next.resumedFrom == 100_000)
      late.decide(.given)
      #expect(await late.finished())
      #expect(site.difference(old) == nil)
    }
  }

  @Test func aNewVersionWithoutAnyByteIsEmpty() async throws {
    let empty = FaultServer.Version.named("v4", size: 0)
    try await Site.use(empty) { site in
      let outcome = await site.run(try site.plan(recorded: try site.receivedBefore(100_000, of: old)))
      #expect(outcome.wholeSize == 0)
      #expect(site.directory.bytes("part") == [])
    }
  }

  @Test(arguments: [0, 300_001] as [Int]) func aPartFileThatIsNotTheRecordedOneIsGivenUp(_ length: Int) async throws {
    try await Site.use(old) { site in
      let recorded = try site.receivedBefore(100_000, of: old)
      try site.directory.write([UInt8](repeating: 7, count: length), to: "part")
      let watcher = Watcher()
      let outcome = await site.run(try site.plan(recorded: recorded), watcher)
      #expect(outcome.startedOver == .partFileLost)
      #expect(watcher.now.startsOver == [.partFileLost])
      #expect(site.difference(old) == nil)
    }
  }

  @Test func aServerThatChangesEachTimeComesToAnEnd() async throws {
    let changes = (0..<8).map { n in
      FaultServer.Answer {
        $0.version = .named("n\(n)", size: 300_000)
        $0.rangeLimit = 100_000
      }
    }
    try await Site.use(old) { site in
      site.server.update("/file") { $0.script = changes }
      let outcome = await site.run(try site.plan(recorded: try site.receivedBefore(100_000, of: old)))
      #expect(outcome.wholeSize == 300_000)
      #expect(site.ranges.count == 1)
      #expect(site.difference(.named("n0", size: 300_000)) == nil)
    }
  }
}
