// Whether the other connections of a file are opened with its answer, as a table.

import Testing

@testable import DrayCore

@Suite struct ConnectionOpeningTests {
  private static let mib: Int64 = 1 << 20

  /// What a file of this length gets over a round trip of these seconds: the number of connections beside the first.
  struct Row: Sendable {
    var mib: Int64
    var most = 15
    var roundTrip: Double
    var setUp = 2
    var more: Int?
  }

  @Test(arguments: [
    // A long line: each saved round trip counts.
    Row(mib: 64, roundTrip: 0.1, more: 15), Row(mib: 64, roundTrip: 0.02, more: 15),
    // A short one: the rate decides.
    Row(mib: 64, roundTrip: 0.01, more: nil), Row(mib: 64, roundTrip: 0, more: nil),
    // A large file takes so long that a few round trips do not matter.
    Row(mib: 1024, roundTrip: 0.1, more: nil), Row(mib: 1024, roundTrip: 0.5, more: 15),
    // A small file is over before other connections have sent anything.
    Row(mib: 0, roundTrip: 0.1, more: nil), Row(mib: 1, roundTrip: 0.1, more: nil),
    Row(mib: 2, roundTrip: 0.1, more: nil), Row(mib: 4, roundTrip: 0.1, more: 12),
    // Too few to save a round trip.
    Row(mib: 64, most: 0, roundTrip: 0.1, more: nil), Row(mib: 64, most: 3, roundTrip: 0.1, more: nil),
    Row(mib: 64, most: 7, roundTrip: 0.1, more: 7),
    // TLS takes another round trip, and a protocol that logs in takes too many.
    Row(mib: 64, roundTrip: 0.1, setUp: 3, more: 15), Row(mib: 64, most: 7, roundTrip: 0.1, setUp: 3, more: nil),
    Row(mib: 64, roundTrip: 0.1, setUp: 8, more: nil), Row(mib: 64, roundTrip: 0.1, setUp: 99, more: nil),
  ])
  func table(row: Row) {
    let size = row.mib * ConnectionOpeningTests.mib
    let opening = ConnectionOpening(remaining: size, most: row.most, roundTrip: row.roundTrip, setUp: row.setUp)
    #expect(opening?.more == row.more)
    guard let opening else { return }
    // The first connection keeps as much more as it is ahead, and each piece is worth a connection.
    let first = size - Int64(opening.more) * opening.piece
    #expect(first >= Int64(1 << row.setUp) * opening.piece && opening.piece >= SegmentPlan.minimum)
  }

  @Test func theLargestFileHasNoOverflow() {
    #expect(ConnectionOpening(remaining: .max, most: .max, roundTrip: 0.1, setUp: 2) == nil)
  }

  @Test("a file that is alone on a long line gets all its connections with its answer")
  func alone() {
    for (others, limit) in [(0, 16), (1, 1)] {
      var growth = ConnectionGrowth(ceiling: 16)
      growth.look(
        ConnectionGrowth.Look(
          connections: 1, opening: 0, bytes: 1, remaining: 64 << 20, latency: 0.2,
          line: .init(connections: 1 + others, bytes: 1, outOfOrder: 0)),
        now: 0)
      #expect(growth.limit == limit)
    }
  }
}
