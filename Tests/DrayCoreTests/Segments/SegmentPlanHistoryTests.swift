// Thousands of random histories: connections that deliver bytes, fail, lose some, stall; limits that change. In each
// history every byte has one owner and is fetched once, and the file becomes whole.

import TestSupport
import Testing

@testable import DrayCore

/// A plan, its servers, and the bytes that they have sent.
private struct History {
  var random: SplitMix
  var plan: SegmentPlan
  var room: SegmentPlan.Room
  var now = 0.0
  /// The requested ranges of open connections, and their positions.
  var open: [PieceID: (asked: Segment, position: Int64)] = [:]
  var fetched: SegmentSet
  let size: Int64

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    size = Int64.random(in: 0...random.pick([1, 1000, 1 << 20, 1 << 26, 1 << 40]), using: &random)
    var done = SegmentSet()
    for _ in 0..<Int.random(in: 0...3, using: &random) where size > 0 {
      let lower = Int64.random(in: 0..<size, using: &random)
      done.insert(lower..<Int64.random(in: lower...size, using: &random))
    }
    plan = SegmentPlan(size: size, done: done)
    fetched = plan.done
    room = .init(connections: 1, perSource: [1])
    if let first = plan.unowned.segments.last, Bool.random(using: &random) {
      let id = plan.adopt(first, source: 0, now: now)
      open[id] = (first, first.lowerBound)
    }
  }

  mutating func step(failing: Bool) {
    now += random.pick([0, 0.001, 0.03, 0.3, 3])
    if failing, Int.random(in: 0..<4, using: &random) == 0 {
      let sources = Int.random(in: 1...4, using: &random)
      room.perSource = (0..<sources).map { _ in random.pick([0, 1, 2, 8]) }
      room.connections = random.pick([1, 2, 8, 64])
    }
    for id in open.keys.sorted() { advance(id, failing) }
    perform(plan.next(room, now: now))
    check()
  }

  /// A connection delivers bytes up to its known end; some connections fail.
  private mutating func advance(_ id: PieceID, _ failing: Bool) {
    guard let (asked, position) = open[id], let piece = plan.pieces.first(where: { $0.id == id }) else {
      Issue.record("a connection without a piece")
      return
    }
    let upper = min(asked.upperBound, piece.upper)
    let most = failing ? random.pick([0, 1, 1 << 16, 1 << 22, size]) : max(size / 64, 1)
    let next = min(upper, position + Int64.random(in: failing ? 0...most : most...most, using: &random))
    demand(fetched.clamped(to: position..<next).isEmpty, "bytes came twice")
    fetched.insert(position..<next)
    open[id]?.position = next
    plan.note(id, at: next, now: now)
    let kind = Int.random(in: 0..<20, using: &random)
    if next == upper || piece.isClosing && (kind < 10 || !failing) || failing && kind == 0 {
      end(id, at: next)
    } else if failing, kind == 1 {
      // The newest bytes turn out to be missing.
      let kept = Int64.random(in: asked.lowerBound...next, using: &random)
      fetched.remove(kept..<next)
      end(id, at: kept)
    }
  }

  private mutating func end(_ id: PieceID, at position: Int64) {
    open[id] = nil
    plan.end(id, at: position, now: now)
    demand(plan.done.clamped(to: 0..<size) == plan.done)
  }

  private mutating func perform(_ actions: [SegmentPlan.Action]) {
    for action in actions {
      switch action {
      case .open(let id, let segment, let source):
        demand(open[id] == nil && source < room.perSource.count && room.perSource[source] > 0)
        demand(plan.pieces.contains { $0.id == id && $0.lower == segment.lowerBound && $0.upper <= segment.upperBound })
        open[id] = (segment, segment.lowerBound)
      case .trim(let id, let cut):
        demand((open[id]?.position ?? .max) < cut, "what is there is not taken away")
        if let asked = open[id]?.asked { open[id]?.asked = asked.lowerBound..<cut }
      case .close(let id): demand(plan.pieces.contains { $0.id == id && $0.isClosing })
      }
    }
  }

  /// Like `#expect`, which would take most of the test's time.
  private func demand(_ isTrue: Bool, _ what: Comment = "keeps to the rules") {
    if !isTrue { Issue.record(what) }
  }

  private func check() {
    var owned = plan.done
    var sum = plan.done.count + plan.unowned.count
    for segment in plan.unowned.segments { owned.insert(segment) }
    for piece in plan.pieces {
      owned.insert(piece.lower..<piece.upper)
      sum += piece.upper - piece.lower
    }
    demand(owned.isWhole(size) && sum == size, "each byte has one owner")
    demand(plan.remaining == size - plan.done.count - plan.pieces.reduce(0) { $0 + $1.position - $1.lower })
    let alive = plan.pieces.filter { !$0.isClosing }
    demand(alive.count <= max(1, room.connections))
    if alive.count > 1 {
      for (source, most) in room.perSource.enumerated() {
        let count = alive.count { $0.source == source }
        demand(count <= most || count == 1 && alive.count(where: \.hasBytes) == 1)
      }
    }
  }

  mutating func finish() -> Bool {
    room = .init(connections: Int.random(in: 1...16, using: &random), perSource: [16, 16])
    for _ in 0..<5000 where !plan.isWhole { step(failing: false) }
    return plan.isWhole && plan.pieces.isEmpty && plan.unowned.isEmpty && fetched.isWhole(size)
  }
}

@Suite struct SegmentPlanHistoryTests {
  @Test(arguments: 0..<8)
  func eachByteHasOneOwnerAndComesOnce(part: UInt64) {
    for seed in 0..<250 {
      var history = History(seed: part * 1000 + UInt64(seed))
      for _ in 0..<60 { history.step(failing: true) }
      let isWhole = history.finish()
      #expect(isWhole, "seed \(part * 1000 + UInt64(seed))")
    }
  }
}
