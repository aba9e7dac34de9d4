// Mirrors without a validator of their own: their bytes count only after a comparison with the file's own server (P16).

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

  /// Three samples are right, and all later bytes are those of another file.
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

  /// A crash must not leave a claim on uncompared bytes (P2, P4).
  @Test func whatIsNotComparedIsNotClaimed() async throws {
    let compared = FaultServer.Gate()
    // The first answer in `own` shows whether there is something to compare with.
    try await use([slow], own: [.normal, .held(by: compared, after: 0)]) { mirror, transfer, _ in
      guard brought(mirror) > 1 << 20, transfer.received > Self.place + (1 << 20) else { return false }
      let claimed = try transfer.checkpoint()?.segments ?? SegmentSet()
      #expect(claimed.end <= Self.place, "\(claimed)")
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

  /// The file's own server accepts one connection: the mirror's bytes wait until that one has ended.
  @Test func aServerThatRefusesOneMoreConnectionIsAskedLater() async throws {
    try await use([slow], own: [.normal, .status(503), .status(503), .normal]) { mirror, _, _ in
      brought(mirror) > 1 << 20
    } body: { site, mirror, outcome, _ in
      #expect(outcome.wholeSize == Self.size)
      #expect(site.difference(version) == nil)
    }
  }

  /// A mirror that refuses a connection is dropped with its unproved bytes, and the file's own server, which only
  /// answers 503, is not asked endlessly (P13).
  @Test(arguments: [false, true])
  func aMirrorThatRefusesAConnectionIsLeft(isSame: Bool) async throws {
    let mirror = try FaultServer()
    defer { mirror.stop() }
    mirror["/copy"] = .init(copy)
    let other = FaultServer.Version(.generated(seed: 2, size: Self.size))
    let asked = Mutex(0)
    let spoiled = isSame ? copy : other
    mirror.update("/copy") { resource in
      resource.decide = { [slow] request in
        guard request["Range"].map({ !Self.isSample($0) }) ?? true else { return .normal }
        let number = asked.withLock { count in
          count += 1
          return count
        }
        return number == 1 ? slow.with { $0.version = spoiled } : .status(403)
      }
    }
    let gate = FaultServer.Gate()
    try await Site.use(version, helpful: 4) { site in
      site.server["/file"] = .init(
        version, script: [.held(by: gate, after: Self.place), .normal, .status(503)])
      var plan = try site.plan()
      plan.maxConnections = 4
      plan.mirrors = [plan.request.moved(to: try url(mirror.url("/copy")))]
      let watcher = Watcher()
      let transfer = site.engine.start(plan, observer: watcher)
      let isDropped = await eventually { !watcher.now.drops.isEmpty }
      // On a machine without time, no second connection may be worth it.
      #expect(isDropped || asked.withLock { $0 } < 2)
      gate.open()
      let outcome = await transfer.outcome()
      #expect(outcome.wholeSize == nil || site.difference(version) == nil)
      let claimed = try transfer.checkpoint()?.segments ?? SegmentSet()
      #expect(claimed.count == outcome.reached)
      let bytes = site.directory.bytes("part") ?? []
      for segment in claimed.segments {
        let range = Int(segment.lowerBound)..<Int(segment.upperBound)
        #expect(Array(bytes[range]) == version.content.bytes(in: segment), "\(segment)")
      }
      #expect(site.ranges.count < 50)
    }
  }

  /// Whether the request is for a comparison.
  private static func isSample(_ range: String) -> Bool {
    let ends = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int64($0) }
    return ends.count == 2 && ends[1] - ends[0] < MirrorSample.length
  }
}
