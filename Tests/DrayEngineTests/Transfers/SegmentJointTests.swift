// A connection continues an interrupted one: the bytes before the joint are compared, and given up if they differ
// (P18).

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

@Suite struct SegmentJointTests {
  private static let size: Int64 = 12 << 20
  private let version = FaultServer.Version.named("v1", size: SegmentJointTests.size)

  private func plan(_ site: Site) throws -> TransferPlan {
    var plan = try site.plan()
    plan.maxConnections = 2
    return plan
  }

  /// The lower ends of the requested ranges.
  private func lowers(_ site: Site) -> [Int64] {
    site.ranges.compactMap { $0 }.compactMap { range in
      range.dropFirst("bytes=".count).split(separator: "-").first.flatMap { Int64($0) }
    }
  }

  /// Another connection continues the bytes of an additional one.
  @Test("a cut part is continued with an overlap", arguments: [FaultServer.Ending.close, .reset])
  func aCutIsProved(ending: FaultServer.Ending) async throws {
    let gate = FaultServer.Gate()
    let cut = FaultServer.Answer.cut(after: 3 << 19, ending)
    try await Site.use(version, .held(by: gate, after: 1 << 20), cut, .normal, helpful: 2) { site in
      let watcher = Watcher()
      let outcome = await site.run(try plan(site), watcher, holding: gate) { site.ranges.count >= 3 }
      #expect(outcome.wholeSize == Self.size && site.difference(version) == nil)
      #expect(watcher.now.restarts.isEmpty)
      let lowers = lowers(site)
      try #require(lowers.count >= 2)
      // A reset may discard bytes that were sent before it.
      #expect(lowers[1] <= lowers[0] + (3 << 19) - Joint.overlap)
      if ending == .close { #expect(lowers[1] == lowers[0] + (3 << 19) - Joint.overlap) }
    }
  }

  /// A proxy cuts an answer and pads it with garbage.
  @Test("garbage before a cut is given up", arguments: [1, 100, 4096, 65536, 300_000, 1 << 20])
  func paddingIsGivenUp(padding: Int) async throws {
    let gate = FaultServer.Gate()
    try await Site.use(
      version, .held(by: gate, after: 1 << 20), .cut(after: 3 << 19, padded: padding), .normal, helpful: 2
    ) { site in
      let watcher = Watcher()
      let outcome = await site.run(try plan(site), watcher, holding: gate) { site.ranges.count >= 4 }
      #expect(outcome.wholeSize == Self.size && site.difference(version) == nil)
      #expect(outcome.startedOver == nil)
      // Giving up 1 MiB is enough, and is made durable first.
      #expect(watcher.now.restarts == [.wrongTail(1 << 20)])
      #expect(watcher.now.takenBack.count == 1)
      let lowers = lowers(site)
      try #require(lowers.count >= 3)
      #expect(watcher.now.takenBack.allSatisfy { !$0.segments.contains(lowers[1]..<lowers[1] + Joint.overlap) })
    }
  }

  /// Nothing replaces bytes that a durable record still covers.
  @Test func nothingIsWrittenBeforeItIsGivenUp() async throws {
    let gate = FaultServer.Gate()
    try await Site.use(
      version, .held(by: gate, after: 1 << 20), .cut(after: 3 << 19, padded: 5000), .normal, helpful: 2
    ) { site in
      let watcher = Watcher(holds: true)
      let transfer = site.engine.start(try plan(site), observer: watcher)
      #expect(await eventually { site.ranges.count >= 4 })
      let lowers = lowers(site)
      let place = lowers[0] + (3 << 19) + 5000 - 1
      let before = site.directory.bytes("part")?[Int(place)]
      #expect(before == UInt8(ascii: "X"))
      #expect(try transfer.checkpoint()?.segments.contains(place..<place + 1) == false)
      watcher.decide(.given)
      gate.open()
      #expect(await transfer.outcome().wholeSize == Self.size)
      #expect(site.difference(version) == nil)
    }
  }

  @Test func withoutPermissionItEnds() async throws {
    let refusal = Failure(.store, "the store", "it is full")
    try await Site.use(
      version, .held(by: FaultServer.Gate(), after: 1 << 20), .cut(after: 3 << 19, padded: 5000), .normal, helpful: 2
    ) { site in
      let watcher = Watcher(holds: true)
      watcher.decide(.refused(refusal))
      let transfer = site.engine.start(try plan(site), observer: watcher)
      let watch = Task { await transfer.outcome() }
      #expect(await watch.value.failure == refusal)
    }
  }

  /// No byte of a connection matches, and others exist: the file starts over.
  @Test func aRunOfGarbageMakesItStartOver() async throws {
    let gate = FaultServer.Gate()
    try await Site.use(
      version, .held(by: gate, after: 1 << 20), .cut(after: 10, padded: 3 << 20), .normal, helpful: 2
    ) { site in
      let watcher = Watcher()
      let outcome = await site.run(try plan(site), watcher, holding: gate) { !watcher.now.startsOver.isEmpty }
      #expect(outcome.wholeSize == Self.size && site.difference(version) == nil)
      #expect(outcome.startedOver == .changed("its bytes differ"))
    }
  }

  /// The first answer continues past the place where another connection took over. It is garbage from before that place
  /// on, so its bytes there differ from the other connection's.
  @Test func garbageThatReachesAnotherPieceIsSeen() async throws {
    let gate = FaultServer.Gate()
    var body = version.content.bytes(in: 0..<Self.size)
    // The second connection begins in the middle of the gap, wherever the first pauses.
    let garbage = (5 << 20) + (3 << 18)..<(15 << 19)
    body.replaceSubrange(garbage, with: Array(repeating: UInt8(ascii: "X"), count: garbage.count))
    let lead = FaultServer.Answer(200) { [body] in
      $0.body = body
      $0.holds = [.gate(gate, after: 1 << 20)]
      $0.bodyCut = Int64(garbage.upperBound)
    }
    let second = FaultServer.Gate()
    try await Site.use(version, lead, .held(by: second, after: 1 << 20), .normal, helpful: 2) { site in
      let watcher = Watcher()
      let made = try plan(site)
      let transfer = site.engine.start(made, observer: watcher)
      let hasBegun = await eventually { transfer.received >= 2 << 20 }
      #expect(hasBegun)
      gate.open()
      let isSeen = await eventually { !watcher.now.restarts.isEmpty }
      second.open()
      #expect(isSeen)
      let size = await transfer.outcome().wholeSize
      #expect(size == Self.size)
      #expect(site.difference(version) == nil)
      #expect(watcher.now.restarts == [.wrongTail(1 << 20)])
      try #require(lowers(site).count >= 2)
      #expect(lowers(site)[1] == lowers(site)[0] - (1 << 20) - Joint.overlap)
    }
  }
}
