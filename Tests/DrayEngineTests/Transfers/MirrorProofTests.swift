// Mirrors without a validator: their bytes count only after a comparison with the file's own server (P16).

import DrayCore
import FaultServer
import Synchronization
import Testing

@testable import DrayEngine

@Suite(.serialized) struct MirrorProofTests {
  private static let size: Int64 = 6 << 20
  /// The offset at which the file's own server pauses first: enough for samples.
  private static let place = MirrorSample.least * 3 / 2
  private let version = FaultServer.Version.named("v1", size: MirrorProofTests.size)
  /// The same bytes, and nothing that identifies them.
  private let copy = FaultServer.Version(FaultServer.Version.named("v1", size: MirrorProofTests.size).content)
  private let slow = FaultServer.Answer { $0.rate = 4 << 20 }

  /// Runs with one connection for the file's own server, which waits at a gate until `moment` has come, and one for a mirror.
  private func use(
    _ mirrored: [FaultServer.Answer], own: [FaultServer.Answer] = [.normal],
    until moment: (FaultServer, Transfer, Watcher) throws -> Bool,
    body: (Site, FaultServer, TransferOutcome, Watcher) async throws -> Void
  ) async throws {
    let mirror = try FaultServer()
    defer { mirror.stop() }
    mirror["/copy"] = .init(copy, script: mirrored)
    let gate = FaultServer.Gate()
    try await Site.use(version, helpful: 2) { site in
      site.server["/file"] = .init(version, script: [.held(by: gate, after: Self.place)] + own)
      var plan = try site.plan()
      plan.maxConnections = 2
      plan.mirrors = [plan.request.moved(to: try url(mirror.url("/copy")))]
      let watcher = Watcher()
      let transfer = site.engine.start(plan, observer: watcher)
      var failure: (any Error)?
      let hasCome = await eventually {
        do { return try moment(mirror, transfer, watcher) } catch { failure = error }
        return true
      }
      #expect(hasCome && failure == nil, "what the gate waits for")
      gate.open()
      try await body(site, mirror, await transfer.outcome(), watcher)
    }
  }

  /// Bytes of the mirror's answers that were not samples.
  private func brought(_ mirror: FaultServer) -> Int64 {
    mirror.requests("/copy").dropFirst(3).reduce(0) { $0 + $1.bodySent }
  }

  @Test func whatIsTheSameCounts() async throws {
    try await use([slow]) { mirror, _, _ in
      brought(mirror) > 2 << 20
    } body: { site, mirror, outcome, watcher in
      #expect(outcome.wholeSize == Self.size)
      #expect(site.difference(version) == nil)
      #expect(watcher.now.drops.isEmpty)
      #expect(brought(mirror) > 2 << 20)
    }
  }

  /// Three samples are right, but all later bytes belong to another file.
  @Test func aMirrorThatChangesAfterItsSamplesBringsNothing() async throws {
    let other = FaultServer.Version(.generated(seed: 2, size: Self.size))
    try await use([slow, slow, slow, .changed(to: other), slow]) { _, _, watcher in
      !watcher.now.drops.isEmpty
    } body: { site, mirror, outcome, watcher in
      #expect(outcome.wholeSize == Self.size)
      #expect(site.difference(version) == nil)
      #expect(outcome.startedOver == nil)
      #expect(watcher.now.drops.map(\.mirror.string) == [mirror.url("/copy")])
    }
  }

  /// The mirror's answer begins with the bytes of the file, and continues with others.
  @Test func aMirrorThatChangesInTheMiddleBringsNothing() async throws {
    let place = 2 << 20
    let bytes = version.content.allBytes
    let other = FaultServer.Content.generated(seed: 2, size: Self.size).allBytes
    let spliced = FaultServer.Version(.fixed(bytes.prefix(place) + other.dropFirst(place)))
    try await use([slow, slow, slow, .changed(to: spliced), slow]) { _, _, watcher in
      !watcher.now.drops.isEmpty
    } body: { site, mirror, outcome, watcher in
      #expect(outcome.wholeSize == Self.size)
      #expect(site.difference(version) == nil)
      #expect(watcher.now.drops.count == 1)
    }
  }

  /// A crash must not leave a record of uncompared bytes (P2, P4).
  @Test func whatIsNotComparedIsNotRecorded() async throws {
    let compared = FaultServer.Gate()
    // The first answer in `own` shows whether there is something to compare with.
    try await use([slow], own: [.normal, .held(by: compared, after: 0)]) { mirror, transfer, _ in
      guard brought(mirror) > 1 << 20, transfer.received > Self.place + (1 << 20) else { return false }
      let recorded = try transfer.checkpoint()?.segments ?? SegmentSet()
      #expect(recorded.end <= Self.place, "\(recorded)")
      compared.open()
      return true
    } body: { site, mirror, outcome, watcher in
      #expect(outcome.wholeSize == Self.size)
      #expect(site.difference(version) == nil)
      #expect(watcher.now.drops.isEmpty)
    }
  }

  /// Without bytes from the file's own server there is nothing to compare with.
  @Test func aServerWithoutRangesProvesNoMirror() async throws {
    try await use([slow], own: [FaultServer.Answer { $0.ignoresRange = true }]) { _, _, watcher in
      !watcher.now.drops.isEmpty
    } body: { site, mirror, outcome, watcher in
      #expect(outcome.wholeSize == Self.size)
      #expect(site.difference(version) == nil)
      #expect(brought(mirror) == 0)
    }
  }

  /// The file's own server accepts one connection, so the mirror's bytes stay unproved until that connection has ended.
  @Test func aServerThatRefusesOneMoreConnectionIsAskedLater() async throws {
    try await use([slow], own: [.normal, .status(503), .status(503), .normal]) { mirror, _, _ in
      brought(mirror) > 1 << 20
    } body: { site, mirror, outcome, _ in
      #expect(outcome.wholeSize == Self.size)
      #expect(site.difference(version) == nil)
    }
  }

  /// The file's own server and the mirror accept one connection each. When the mirror refuses a second one, it is
  /// dropped together with its unproved bytes, right or wrong. The file's own server is not asked endlessly (P13, P16).
  @Test(arguments: [false, true])
  func aMirrorThatRefusesAConnectionIsLeft(isSame: Bool) async throws {
    let mirror = try FaultServer()
    defer { mirror.stop() }
    mirror["/copy"] = .init(copy)
    let early: Int64 = 128 << 10
    let brought = isSame ? copy : FaultServer.Version(.generated(seed: 2, size: Self.size))
    // All bytes wait at `gate`, the mirror's samples at `known`, and its refusals at `refusal`.
    let (gate, known, refusal) = (FaultServer.Gate(), FaultServer.Gate(), FaultServer.Gate())
    let first = FaultServer.Answer.held(by: gate, after: early).with { $0.version = brought }
    let second = FaultServer.Answer {
      $0.wire = [.gate(refusal), .bytes(Array("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".utf8))]
    }
    let asked = Mutex(0)
    mirror.update("/copy") { resource in
      resource.decide = { request in
        if request.isSample { return .held(by: known, after: 0) }
        let number = asked.withLock { count in
          count += 1
          return count
        }
        return number == 1 ? first : second
      }
    }
    let isFirst = Mutex(true)
    let own: @Sendable (FaultServer.SeenRequest) -> FaultServer.Answer = { request in
      let isLead = isFirst.withLock { value in
        defer { value = false }
        return value
      }
      if isLead { return .held(by: gate, after: Self.place) }
      // Samples show that comparisons are possible, but the mirror's bytes are not compared.
      let isUsed = asked.withLock { $0 > 0 }
      return gate.isOpen || request.isSample && !isUsed ? .normal : .status(503)
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
      let isUsed = await eventually { asked.withLock { $0 } == 2 && transfer.received >= Self.place + early }
      let recorded = try transfer.checkpoint()?.segments ?? SegmentSet()
      refusal.open()
      // The last connection takes over the ranges of the others.
      let isLeft = await eventually { !watcher.now.drops.isEmpty && transfer.connections == 1 }
      gate.open()
      #expect(isRefused && isUsed && isLeft, "\(isRefused), \(isUsed), \(isLeft)")
      #expect(recorded.end <= Self.place, "\(recorded)")
      let outcome = await transfer.outcome()
      #expect(outcome.wholeSize == Self.size)
      #expect(site.difference(version) == nil)
      #expect(watcher.now.drops.map(\.mirror.string) == [mirror.url("/copy")])
      let requests = asked.withLock { $0 }
      #expect(requests == 2)
      #expect(site.ranges.count < 20)
    }
  }
}
