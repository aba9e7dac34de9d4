// A refusal limits the connections to the server that refused, and to no other.

import Testing

@testable import DrayCore

@Suite struct ServerLimitsTests {
  private static let own = Origin(scheme: "https", host: "own.example", port: 443)
  private static let mirror = Origin(scheme: "https", host: "mirror.example", port: 443)

  /// The limits after the file's own server refused a connection at second 100, beside `connections` others.
  private func refused(_ connections: Int, until: Double? = nil) -> ServerLimits {
    var limits = ServerLimits()
    limits.refused(by: Self.own, connections: connections, now: 100, until: until)
    return limits
  }

  private func uses(own: Int, mirror: Int, room: Int = 8) -> [ServerLimits.Use] {
    [.init(Self.own, connections: own, room: room), .init(Self.mirror, connections: mirror, room: room)]
  }

  @Test(
    "only the server that refused is limited, until it may be asked for one more",
    arguments: [
      // Ten seconds, or as long as the server asks.
      (others: 2, until: nil, now: 100, own: 2, room: 2), (others: 2, until: nil, now: 109.9, own: 2, room: 2),
      (others: 2, until: nil, now: 110, own: 2, room: 3), (others: 2, until: 160, now: 159, own: 2, room: 2),
      (others: 2, until: 160, now: 160, own: 2, room: 3), (others: 2, until: 90, now: 100, own: 2, room: 3),
      // Ended connections may be replaced; open ones stay.
      (others: 2, until: nil, now: 101, own: 1, room: 2), (others: 2, until: nil, now: 101, own: 4, room: 4),
      // One connection is always allowed.
      (others: 0, until: nil, now: 101, own: 0, room: 1),
    ] as [(others: Int, until: Double?, now: Double, own: Int, room: Int)])
  func oneIsLimited(others: Int, until: Double?, now: Double, own: Int, room: Int) {
    #expect(refused(others, until: until).rooms(uses(own: own, mirror: 1), now: now) == [room, 8])
  }

  @Test func oneMoreIsAcceptedAtATime() {
    var limits = refused(2)
    // Connections that were not refused do not raise the limit.
    limits.accepted(by: Self.own, connections: 2)
    limits.accepted(by: Self.mirror, connections: 5)
    #expect(limits.rooms(uses(own: 2, mirror: 5), now: 120) == [3, 8])
    limits.accepted(by: Self.own, connections: 3)
    #expect(limits.rooms(uses(own: 3, mirror: 5), now: 120) == [4, 8])
    limits.refused(by: Self.own, connections: 3, now: 121, until: nil)
    #expect(limits.rooms(uses(own: 3, mirror: 5), now: 130) == [3, 8])
  }

  @Test func urlsOfOneServerShareWhatItAccepts() {
    let uses = [Self.own, Self.own, Self.mirror].map { ServerLimits.Use($0, connections: 1, room: 8) }
    #expect(refused(2).rooms(uses, now: 101) == [1, 1, 8])
    #expect(refused(3).rooms(uses, now: 101) == [2, 1, 8])
    // The growth limits the only server.
    #expect(refused(2).rooms(Array(uses.prefix(2)), now: 101) == [8, 8])
    #expect(refused(2).bound(Array(uses.prefix(2)), below: 8, now: 101) == nil)
  }

  @Test(
    "the number of all is bounded only if no server has room",
    arguments: [
      (mirrorAccepts: nil, room: 8, limit: 8, bound: nil), (mirrorAccepts: 3, room: 8, limit: 8, bound: 5),
      (mirrorAccepts: 3, room: 8, limit: 5, bound: nil), (mirrorAccepts: nil, room: 4, limit: 16, bound: 6),
      // Not because of the refusal.
      (mirrorAccepts: nil, room: 2, limit: 16, bound: nil), (mirrorAccepts: nil, room: 0, limit: 16, bound: nil),
    ] as [(mirrorAccepts: Int?, room: Int, limit: Int, bound: Int?)])
  func allAreBounded(mirrorAccepts: Int?, room: Int, limit: Int, bound: Int?) {
    var limits = refused(2, until: 130)
    if let mirrorAccepts { limits.refused(by: Self.mirror, connections: mirrorAccepts, now: 100, until: nil) }
    #expect(limits.bound(uses(own: 2, mirror: 2, room: room), below: limit, now: 101) == bound)
    #expect(limits.nextTry(after: 101) == (mirrorAccepts == nil ? 130 : 110))
    #expect(limits.nextTry(after: 130) == nil)
  }

  /// The other server gets the connections, and no more than the limit of all (`-x`).
  @Test(arguments: [(1, [0]), (2, [0, 1]), (5, [0, 1, 1, 1, 1])] as [(Int, [Int])])
  func whatIsRefusedGoesToTheOther(connections: Int, sources: [Int]) {
    var plan = SegmentPlan(size: 512 << 20, done: SegmentSet())
    _ = plan.adopt(0..<(512 << 20), source: 0, now: 100)
    let rooms = refused(1).rooms(uses(own: 1, mirror: 0), now: 100)
    _ = plan.next(.init(connections: connections, perSource: rooms), now: 100)
    #expect(plan.pieces.map(\.source) == sources)
  }
}
