// Segments from several servers: whose bytes are mixed, and whose are not (P2).

import DrayCore
import FaultServer
import Synchronization
import Testing

@testable import DrayEngine

@Suite(.serialized) struct MirrorTests {
  private static let size: Int64 = 6 << 20
  private let version = FaultServer.Version.named("v1", size: MirrorTests.size)
  private let slow = FaultServer.Answer { $0.rate = 1 << 20 }

  /// An answer of the file's own server that waits at `gate`: the first answer after enough bytes for samples, any
  /// other before its end. Most of the file is missing while the gate is closed.
  private func held(by gate: FaultServer.Gate, isFirst: Bool) -> FaultServer.Answer {
    slow.with { $0.holds = [.gate(gate, after: isFirst ? MirrorSample.least * 3 / 2 : 128 << 10)] }
  }

  /// Runs with a mirror that serves `version`; its answers follow `script`. The file's own server pauses until `moment`
  /// holds.
  private func use(
    _ version: FaultServer.Version, _ script: [FaultServer.Answer],
    until moment: (FaultServer, Watcher) -> Bool,
    body: (Site, FaultServer, TransferOutcome, Watcher) async throws -> Void
  ) async throws {
    let mirror = try FaultServer()
    defer { mirror.stop() }
    mirror["/copy"] = .init(version, script: script)
    let gate = FaultServer.Gate()
    try await Site.use(
      self.version, held(by: gate, isFirst: true), held(by: gate, isFirst: false), helpful: 4
    ) { site in
      var plan = try site.plan()
      plan.maxConnections = 4
      plan.mirrors = [plan.request.moved(to: try url(mirror.url("/copy")))]
      let watcher = Watcher()
      let outcome = await site.run(plan, watcher, holding: gate) { moment(mirror, watcher) }
      try await body(site, mirror, outcome, watcher)
    }
  }

  @Test func aMirrorWithTheSameETagHelps() async throws {
    try await use(version, [slow]) { mirror, _ in
      mirror.requests("/copy").count >= 2
    } body: { site, mirror, outcome, watcher in
      #expect(outcome.wholeSize == MirrorTests.size)
      #expect(site.difference(version) == nil)
      #expect(mirror.requests("/copy").count >= 2)
      #expect(watcher.now.drops.isEmpty)
    }
  }

  /// Another server's ETag proves nothing; only the bytes do.
  @Test func aMirrorWithTheSameBytesHelps() async throws {
    var copy = version
    copy.etag = "\"mine\""
    func isUsed(_ mirror: FaultServer) -> Bool {
      mirror.requests("/copy").contains {
        $0["If-Range"] == "\"mine\"" && $0.status == 206 && $0.bodySent > 64 << 10
      }
    }
    try await use(copy, [slow]) { mirror, _ in
      isUsed(mirror)
    } body: { site, mirror, outcome, watcher in
      #expect(outcome.wholeSize == MirrorTests.size)
      #expect(site.difference(version) == nil)
      #expect(isUsed(mirror))
      #expect(watcher.now.drops.isEmpty)
    }
  }

  @Test(arguments: [
    FaultServer.Version.named("v2", size: 6 << 20), FaultServer.Version.named("v1", size: 5 << 20),
  ])
  func aMirrorThatDiffersIsNamedAndNotUsed(copy: FaultServer.Version) async throws {
    var copy = copy
    copy.etag = "\"mine\""
    try await use(copy, [slow]) { _, watcher in
      !watcher.now.drops.isEmpty
    } body: { site, mirror, outcome, watcher in
      #expect(outcome.wholeSize == MirrorTests.size)
      #expect(site.difference(version) == nil)
      #expect(outcome.startedOver == nil)
      #expect(watcher.now.drops.map(\.mirror.string) == [mirror.url("/copy")])
      #expect(mirror.bytesSent("/copy") < 1 << 20)
    }
  }

  /// A first byte that is the same proves nothing, nor does a part of a file of unknown length.
  @Test(arguments: [
    FaultServer.Answer { $0.rangeLimit = 1 },
    FaultServer.Answer { $0.headers = ["Content-Range: bytes {first}-{last}/*"] },
  ])
  func aMirrorThatShowsTooLittleIsNotUsed(answer: FaultServer.Answer) async throws {
    var copy = FaultServer.Version.named("v2", size: MirrorTests.size)
    copy.etag = "W/\"mine\""
    try await use(copy, [answer]) { mirror, _ in
      !mirror.requests("/copy").isEmpty
    } body: { site, mirror, outcome, watcher in
      #expect(outcome.wholeSize == MirrorTests.size)
      #expect(site.difference(version) == nil)
      #expect(mirror.bytesSent("/copy") < 1 << 20)
    }
  }

  /// A refusal of a mirror does not reduce the connections to the server itself.
  @Test func aMirrorThatIsNotThereHoldsNobodyBack() async throws {
    try await use(version, [.status(404)]) { _, watcher in
      !watcher.now.drops.isEmpty
    } body: { site, mirror, outcome, watcher in
      #expect(outcome.wholeSize == MirrorTests.size)
      #expect(site.ranges.count >= 2)
      #expect(watcher.now.drops.count == 1)
    }
  }

  /// The file's own server accepts one connection, which waits. During the wait the mirror brings all other bytes.
  @Test func aMirrorGetsWhatTheFilesOwnServerRefuses() async throws {
    let mirror = try FaultServer()
    defer { mirror.stop() }
    // The mirror's samples wait until the file's own server has refused.
    let (gate, known) = (FaultServer.Gate(), FaultServer.Gate())
    mirror["/copy"] = .init(version)
    mirror.update("/copy") { resource in
      resource.decide = { $0.isSample ? .held(by: known, after: 0) : .normal }
    }
    let isFirst = Mutex(true)
    let own: @Sendable (FaultServer.SeenRequest) -> FaultServer.Answer = { _ in
      let isLead = isFirst.withLock { value in
        defer { value = false }
        return value
      }
      if isLead { return .held(by: gate, after: MirrorSample.least * 3 / 2) }
      return gate.isOpen ? .normal : .status(503)
    }
    try await Site.use(version, helpful: 3) { site in
      site.server.update("/file") { $0.decide = own }
      var plan = try site.plan()
      plan.maxConnections = 3
      plan.mirrors = [plan.request.moved(to: try url(mirror.url("/copy")))]
      let watcher = Watcher()
      let transfer = site.engine.start(plan, observer: watcher)
      let isRefused = await eventually { site.refusals > 0 }
      known.open()
      // Less than half a megabyte is too little to take it from the connection that waits.
      let isUsed = await eventually { transfer.received > MirrorTests.size - (512 << 10) }
      gate.open()
      #expect(isRefused && isUsed, "\(isRefused), \(isUsed)")
      let outcome = await transfer.outcome()
      #expect(outcome.wholeSize == MirrorTests.size)
      #expect(site.difference(version) == nil)
      #expect(watcher.now.drops.isEmpty)
      #expect(site.ranges.count < 20)
    }
  }

  /// A mirror that changes its file later is dropped; the others stay.
  @Test func aMirrorThatChangesIsDropped() async throws {
    var copy = version
    copy.etag = "\"mine\""
    let samples = Array(repeating: slow, count: 3)
    try await use(copy, samples + [.changed(to: .named("v2", size: MirrorTests.size)), slow]) { _, watcher in
      !watcher.now.drops.isEmpty
    } body: { site, mirror, outcome, watcher in
      #expect(watcher.now.drops.count == 1)
      #expect(outcome.wholeSize == MirrorTests.size)
      #expect(site.difference(version) == nil)
      #expect(outcome.startedOver == nil)
    }
  }

  @Test func whenTheFirstFailsInTheMiddleTheMirrorGoesOn() async throws {
    let gate = FaultServer.Gate()
    let cut = slow.with {
      $0.holds = [.gate(gate, after: 2 << 20)]
      $0.bodyCut = 2 << 20
      $0.ending = .reset
    }
    let mirror = try FaultServer()
    defer { mirror.stop() }
    mirror["/copy"] = .init(version, script: [slow])
    try await Site.use(version, cut, .status(404), helpful: 2) { site in
      var plan = try site.plan()
      // One connection is reserved for the mirror.
      plan.maxConnections = 2
      plan.mirrors = [plan.request.moved(to: try url(mirror.url("/copy")))]
      let outcome = await site.run(plan, holding: gate) {
        // With the same ETag one sample is enough; the next answer is a segment.
        gate.arrivals > 0 && mirror.requests("/copy").dropFirst().contains { $0.bodySent > 0 }
      }
      #expect(outcome.wholeSize == MirrorTests.size)
      #expect(site.difference(version) == nil)
      // Few bytes were fetched in vain.
      #expect(site.server.bytesSent("/file") + mirror.bytesSent("/copy") < MirrorTests.size * 3 / 2)
    }
  }

  /// RFC 6249: the server itself names its mirrors.
  @Test func theServerMayNameMirrors() async throws {
    let mirror = try FaultServer()
    defer { mirror.stop() }
    mirror["/copy"] = .init(version, script: [slow])
    let link = "Link: <\(mirror.url("/copy"))>; rel=duplicate"
    let gate = FaultServer.Gate()
    let answers = [true, false].map { held(by: gate, isFirst: $0).with { $0.headers = [link] } }
    try await Site.use(version, answers[0], answers[1], helpful: 4) { site in
      var plan = try site.plan()
      plan.maxConnections = 4
      let outcome = await site.run(plan, holding: gate) { !mirror.requests("/copy").isEmpty }
      #expect(outcome.wholeSize == MirrorTests.size)
      #expect(site.difference(version) == nil)
      #expect(!mirror.requests("/copy").isEmpty)
    }
  }
}
