// Several lines (interfaces): which one the next connection takes, and when one is away.

import Testing

@testable import DrayCore

private let mib: Int64 = 1 << 20

@Suite struct LineTests {
  @Test(
    "the next connection goes over the line with the fewest, then the fastest, then the first",
    arguments: [
      // For each line: connections, limit, rate.
      ([(0, 9, nil), (0, 9, nil)], [0, 1]), ([(1, 9, nil), (0, 9, nil)], [1, 0]), ([(2, 2, nil), (5, 9, nil)], [1]),
      ([(0, 0, nil), (0, 0, nil)], []), ([(1, 9, 5), (1, 9, 7)], [1, 0]), ([(1, 9, 5), (1, 9, nil)], [1, 0]),
      ([(1, 9, 5), (1, 9, 5)], [0, 1]), ([(3, 9, 100), (1, 9, 1), (2, 9, 9)], [1, 2, 0]), ([], []),
    ] as [([(Int, Int, Double?)], [Int])])
  func order(lines: [(Int, Int, Double?)], order: [Int]) {
    #expect(LineChoice.order(lines.map { .init(connections: $0.0, limit: $0.1, rate: $0.2) }) == order)
  }

  @Test(
    "bytes are compared over the source's own line, or else over the first that can be used",
    arguments: [
      (0, [true, true], 0), (1, [true, true], 1), (0, [false, true], 1), (1, [true, false], 0),
      (2, [false, true, false], 1), (2, [true, true, false], 0), (2, [false, false, true], 2),
      // If none can be used, the failures are those of the source's own line.
      (1, [false, false], 1), (0, [false], 0), (0, [true], 0),
    ] as [(Int, [Bool], Int)])
  func comparison(own: Int, isOpen: [Bool], line: Int) {
    #expect(LineChoice.forComparison(own: own, isOpen: isOpen) == line)
  }

  @Test func aPlanFillsBothLinesWithinTheirLimits() {
    var plan = SegmentPlan(size: 400 * mib, done: SegmentSet())
    _ = plan.adopt(0..<(400 * mib), source: 0, now: 0)
    var room = SegmentPlan.Room(connections: 4, perSource: [8, 8])
    (room.lines, room.lineOfSource) = ([.init(connections: 3), .init(connections: 1)], [0, 1])
    _ = plan.next(room, now: 0.1)
    #expect(plan.pieces.map(\.source).sorted() == [0, 0, 0, 1])
    // The line without a connection comes first.
    #expect(plan.pieces.first { $0.id == 1 }?.source == 1)
    // The second line goes away: its connection is closed, and its bytes go to the other.
    room.lines = [.init(connections: 4), .init(connections: 0)]
    let away = plan.pieces.first { $0.source == 1 }
    #expect(plan.next(room, now: 0.2).first == .close(away?.id ?? -1))
    plan.end(away?.id ?? -1, at: away?.position ?? 0, now: 0.3)
    #expect(plan.pieces.allSatisfy { $0.source == 0 } && plan.pieces.count == 4)
    (room.connections, room.lines[0]) = (5, .init(connections: 5))
    _ = plan.next(room, now: 0.3)
    #expect(plan.pieces.count == 5 && plan.unowned.isEmpty)
  }

  @Test func aLineThatIsSilentWhileAnotherDeliversIsAwayAndComesBack() {
    var watch = LineWatch(lines: 2, now: 0)
    var bytes: [Int64] = [0, 0]
    func look(_ now: Double, _ delivers: [Int], connections: [Int] = [2, 2]) -> [LineWatch.Change?] {
      for line in delivers { bytes[line] += 1000 }
      return [0, 1].map { watch.look($0, bytes: bytes[$0], connections: connections[$0], now: now) }
    }
    for second in 1...10 { #expect(look(Double(second), [0, 1]) == [nil, nil]) }
    for second in 11...14 { #expect(look(Double(second), [0]) == [nil, nil]) }
    #expect(look(15, [0]) == [nil, .lost("nothing arrives over it")])
    #expect(watch.limit(of: 0, 7) == 7 && watch.limit(of: 1, 7) == 0 && watch.awayUntil(1) == 20)
    for second in 16...19 { #expect(look(Double(second), [0], connections: [2, 0]) == [nil, nil]) }
    // One connection tries the line and stays silent, so the next pause is longer. The loss is not reported again.
    for second in 20...24 { #expect(look(Double(second), [0], connections: [2, 1]) == [nil, nil]) }
    #expect(watch.limit(of: 1, 7) == 1 && !watch.isAway(1) && !watch.isOpen(1) && watch.isOpen(0))
    #expect(look(25, [0], connections: [2, 1]) == [nil, nil] && watch.awayUntil(1) == 35)
    for second in 26...34 { #expect(look(Double(second), [0], connections: [2, 0]) == [nil, nil]) }
    #expect(look(35, [0], connections: [2, 0]) == [nil, nil])
    #expect(look(36, [0, 1], connections: [2, 1]) == [nil, .back] && watch.limit(of: 1, 7) == 7)
    // After that, the pauses start over.
    for second in 37...40 { #expect(look(Double(second), [0]) == [nil, nil]) }
    #expect(look(41, [0]) == [nil, .lost("nothing arrives over it")] && watch.awayUntil(1) == 46)
  }

  @Test func noLineIsAwayIfAllAreSilentOrNothingIsAskedOfIt() {
    var watch = LineWatch(lines: 2, now: 0)
    for second in 1...60 {
      #expect(watch.look(0, bytes: 5, connections: 1, now: Double(second)) == nil)
      #expect(watch.look(1, bytes: 5, connections: 1, now: Double(second)) == nil)
    }
    for second in 61...120 {
      #expect(watch.look(0, bytes: Int64(second), connections: 1, now: Double(second)) == nil)
      #expect(watch.look(1, bytes: 5, connections: 0, now: Double(second)) == nil)
    }
  }

  @Test func aLineThatDeliversIsNotAwayIfItsServerRefusesOneMoreConnection() {
    var watch = LineWatch(lines: 2, now: 0)
    #expect(watch.look(0, bytes: 1000, connections: 1, now: 1) == nil)
    #expect(watch.fails(0, because: "refused", now: 1.5) == nil)
    #expect(watch.fails(0, because: "no route", now: 2.5) == .lost("no route"))
  }

  @Test func theLastLineIsNeverAway() {
    var watch = LineWatch(lines: 3, now: 0)
    #expect(watch.fails(0, because: "no route", now: 1) == .lost("no route"))
    #expect(watch.fails(0, because: "no route", now: 1) == nil)
    #expect(watch.fails(2, because: "no route", now: 1) == .lost("no route"))
    #expect(watch.fails(1, because: "no route", now: 1) == nil)
    #expect([0, 1, 2].map(watch.isAway) == [true, false, true])
  }
}
