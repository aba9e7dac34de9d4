// A plan in order: short pieces near the first missing byte, never far ahead of it.

import Testing

@testable import DrayCore

private let mib: Int64 = 1 << 20
private let kib: Int64 = 1 << 10

@Suite struct SegmentOrderTests {
  private func room(_ connections: Int, first: Int64? = nil) -> SegmentPlan.Room {
    SegmentPlan.Room(connections: connections, perSource: [64], firstPiece: first)
  }

  /// A plan whose only connection has received `rate` bytes a second for four seconds.
  private func plan(size: Int64, rate: Int64, unit: Int64? = nil) -> SegmentPlan {
    var plan = SegmentPlan(size: size, done: SegmentSet(), unit: unit, isInOrder: true)
    let id = plan.adopt(0..<size, source: 0, now: 0)
    for step in 1...80 {
      let now = Double(step) / 20
      plan.note(id, at: Int64(now * Double(rate)), now: now)
    }
    return plan
  }

  @Test(
    "a piece is what a connection receives in a second, within bounds",
    arguments: [
      // Bytes a second, connections, the first piece of a connection that is tried, length.
      (100 * kib, 4, nil, 256 * kib), (mib, 4, nil, mib), (mib + 1000, 4, nil, mib + 64 * kib),
      (3 * mib, 4, nil, 3 * mib),
      (20 * mib, 4, nil, 8 * mib), (20 * mib, 16, nil, 4 * mib), (20 * mib, 64, nil, mib), (3 * mib, 4, mib, mib),
      (3 * mib, 4, kib, 256 * kib),
    ] as [(Int64, Int, Int64?, Int64)])
  func length(rate: Int64, connections: Int, first: Int64?, length: Int64) {
    #expect(plan(size: 1 << 40, rate: rate).pieceLength(room(connections, first: first), now: 4) == length)
  }

  @Test func oneConnectionReadsToTheEnd() {
    var plan = SegmentPlan(size: 100 * mib, done: SegmentSet(), isInOrder: true)
    #expect(plan.next(room(1), now: 0) == [.open(0, 0..<(100 * mib), source: 0)])
    #expect(plan.next(room(1), now: 1) == [])
  }

  @Test func aSecondConnectionFetchesTheBytesBehindAShortPiece() {
    var plan = plan(size: 100 * mib, rate: mib)
    #expect(plan.front == 4 * mib)
    #expect(plan.next(room(2), now: 4) == [.trim(0, to: 5 * mib), .open(1, (5 * mib)..<(6 * mib), source: 0)])
    #expect(plan.unowned.description == "\(6 * mib)-\(100 * mib)")
    // Another connection gets the next piece, and no piece is cut again.
    #expect(plan.next(room(3), now: 4) == [.open(2, (6 * mib)..<(7 * mib), source: 0)])
    plan.end(0, at: 5 * mib, now: 5)
    #expect(plan.front == 5 * mib)
    #expect(plan.next(room(3), now: 5).first == .open(3, (7 * mib)..<(8 * mib), source: 0))
  }

  @Test func whatAConnectionDidNotBringIsNext() {
    var plan = plan(size: 100 * mib, rate: mib)
    _ = plan.next(room(3), now: 4)
    plan.note(1, at: 6 * mib, now: 5)
    plan.end(1, at: 6 * mib, now: 5)
    plan.end(0, at: 4 * mib + 5, now: 5)
    #expect(plan.front == 4 * mib + 5)
    let next = plan.next(room(3), now: 5)
    #expect(next.first == .open(3, (4 * mib + 5)..<(5 * mib), source: 0))
    #expect(next.count == 2)
  }

  @Test func theLastPieceHasNoShortRest() {
    var plan = plan(size: 6 * mib + 100 * kib, rate: mib)
    #expect(plan.next(room(2), now: 4).last == .open(1, (5 * mib)..<(6 * mib + 100 * kib), source: 0))
  }

  @Test func piecesOfAnUploadEndAtItsParts() {
    var plan = plan(size: 100 * mib, rate: mib, unit: 5 * mib)
    #expect(plan.next(room(2), now: 4) == [.trim(0, to: 5 * mib), .open(1, (5 * mib)..<(10 * mib), source: 0)])
  }

  @Test func nobodyWorksFarAheadOfAConnectionThatStandsStill() {
    var plan = plan(size: 1 << 40, rate: 20 * mib)
    _ = plan.next(room(8), now: 4)
    let front = plan.front
    // The first piece stands still, as do its successors, and all others are fast.
    for step in 1...200 {
      let now = 4 + Double(step) / 20
      for piece in plan.pieces where piece.lower >= front + 8 * mib {
        let position = min(piece.upper, piece.position + mib)
        plan.note(piece.id, at: position, now: now)
        if position == piece.upper { plan.end(piece.id, at: position, now: now) }
      }
      for case .close(let id) in plan.next(room(8), now: now) {
        plan.end(id, at: plan.pieces.first { $0.id == id }?.position ?? 0, now: now)
      }
      #expect(plan.pieces.allSatisfy { $0.lower < plan.front + SegmentPlan.window })
    }
    #expect(plan.front >= front)
    #expect(plan.done.end <= plan.front + SegmentPlan.window + SegmentPlan.longestPiece)
  }

  @Test("with any rates, all bytes come, each from one connection", arguments: 0..<40 as Range<UInt64>)
  func history(seed: UInt64) {
    var random = Draws(seed)
    let size = Int64(random.next(in: 1...60)) * mib + Int64(random.next(in: 0...1_000_000))
    var plan = SegmentPlan(size: size, done: SegmentSet(), isInOrder: true)
    _ = plan.adopt(0..<size, source: 0, now: 0)
    var rates: [PieceID: Int64] = [:]
    var (now, front) = (0.0, Int64(0))
    while !plan.isWhole, now < 100_000 {
      now += 0.1
      for piece in plan.pieces {
        let rate = rates[piece.id] ?? Int64(random.next(in: 1...100)) * 100_000
        rates[piece.id] = rate
        let position = min(piece.upper, piece.position + rate / 10)
        plan.note(piece.id, at: position, now: now)
        // Some break off early.
        if position == piece.upper || random.next(in: 0...99) == 0 { plan.end(piece.id, at: position, now: now) }
      }
      let connections = random.next(in: 1...12)
      for action in plan.next(SegmentPlan.Room(connections: connections, perSource: [64], kept: 12), now: now) {
        guard case .close(let id) = action, let piece = plan.pieces.first(where: { $0.id == id }) else { continue }
        plan.end(id, at: piece.position, now: now)
      }
      #expect(plan.front >= front)
      front = plan.front
      let sum = plan.done.count + plan.unowned.count + plan.pieces.reduce(0) { $0 + $1.upper - $1.lower }
      #expect(sum == size, "each byte is in one place")
    }
    #expect(plan.isWhole && plan.front == size)
  }
}

/// A small generator, so that a seed gives the same history everywhere.
private struct Draws {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next(in range: ClosedRange<Int>) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return range.lowerBound + Int(state % UInt64(range.count))
  }
}
