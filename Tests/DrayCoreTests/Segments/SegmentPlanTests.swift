// The actions of a plan of segments in each situation: open, take over, close. SegmentPlanHistoryTests has histories.

import Testing

@testable import DrayCore

private let mib: Int64 = 1 << 20

/// A plan that can be changed within an expectation.
@dynamicMemberLookup private final class Subject {
  var plan: SegmentPlan

  init(size: Int64, done: SegmentSet = SegmentSet()) { plan = SegmentPlan(size: size, done: done) }

  subscript<Value>(dynamicMember path: KeyPath<SegmentPlan, Value>) -> Value { plan[keyPath: path] }

  func next(_ connections: Int, _ perSource: [Int] = [8], now: Double) -> [SegmentPlan.Action] {
    plan.next(.init(connections: connections, perSource: perSource), now: now)
  }

  func adopt(_ segment: Segment, source: Int = 0, now: Double) -> PieceID {
    plan.adopt(segment, source: source, now: now)
  }
  func note(_ id: PieceID, at position: Int64, now: Double) { plan.note(id, at: position, now: now) }
  func end(_ id: PieceID, at position: Int64, now: Double) { plan.end(id, at: position, now: now) }
}

@Suite struct SegmentPlanTests {
  /// A plan with one piece for each of `segments`; the pieces received `rates` bytes a second for `seconds`.
  private func plan(
    size: Int64, _ segments: [Segment], rates: [Int64], sources: [Int] = [], seconds: Double = 4
  ) -> Subject {
    let plan = Subject(size: size)
    for (index, segment) in segments.enumerated() {
      _ = plan.adopt(segment, source: sources.isEmpty ? 0 : sources[index], now: 0)
    }
    for step in 1...Int(seconds * 20) {
      let now = Double(step) / 20
      for (id, rate) in rates.enumerated() {
        plan.note(id, at: segments[id].lowerBound + Int64(now * Double(rate)), now: now)
      }
    }
    return plan
  }

  @Test func whatNobodyFetchesIsOpenedFirst() throws {
    let plan = Subject(size: 10 * mib, done: try #require(SegmentSet("1048576-2097152,3145728-10485760")))
    #expect(plan.unowned.description == "0-1048576,2097152-3145728")
    #expect(plan.next(1, now: 0) == [.open(0, 0..<mib, source: 0)])
    #expect(plan.next(1, now: 1) == [])
    #expect(plan.next(2, now: 1) == [.open(1, (2 * mib)..<(3 * mib), source: 0)])
    plan.end(0, at: mib, now: 2)
    plan.end(1, at: 2 * mib + 5, now: 2)
    #expect(plan.remaining == mib - 5 && !plan.isWhole)
    #expect(plan.next(1, now: 2) == [.open(2, (2 * mib + 5)..<(3 * mib), source: 0)])
    plan.end(2, at: 3 * mib, now: 3)
    #expect(plan.isWhole && plan.remaining == 0)
    #expect(plan.next(9, now: 3) == [])
  }

  @Test(arguments: [(2, [8]), (8, [8]), (8, [5]), (3, [2, 2]), (7, [3, 3, 3])])
  func severalThatAreOpenedAtOnceGetEvenParts(connections: Int, perSource: [Int]) {
    let plan = Subject(size: 64 * mib)
    let actions = plan.next(connections, perSource, now: 0)
    let count = min(connections, perSource.reduce(0, +))
    // Each piece is opened with its final length: none is shortened later.
    #expect(actions.count == count && plan.pieces.count == count)
    for piece in plan.pieces {
      #expect(actions.contains(.open(piece.id, piece.lower..<piece.upper, source: piece.source)))
      #expect(abs(piece.remaining - 64 * mib / Int64(count)) <= 512 << 10)
    }
    for (source, most) in perSource.enumerated() {
      #expect((1...most).contains(plan.pieces.count { $0.source == source }))
    }
  }

  @Test(
    arguments: [
      // Equal rates: half. Otherwise both parts end at the same time (the new connection counts with the mean rate).
      ([100 * mib], [mib], 0, 52), ([100 * mib, 20 * mib], [mib, mib], 0, 52),
      ([100 * mib, 20 * mib], [3 * mib, mib], 0, 65),
      // The piece that would end last gives bytes, even if it is the shorter one.
      ([100 * mib, 50 * mib], [20 * mib, mib], 1, 8),
    ] as [([Int64], [Int64], Int, Int64)])
  func theOneThatWouldEndLastGives(sizes: [Int64], rates: [Int64], victim: PieceID, near: Int64) throws {
    var segments: [Segment] = []
    for size in sizes { segments.append((segments.last?.upperBound ?? 0)..<((segments.last?.upperBound ?? 0) + size)) }
    let plan = plan(size: sizes.reduce(0, +), segments, rates: rates)
    let actions = plan.next(sizes.count + 1, now: 4)
    let cut = try #require(plan.pieces.first { $0.id == victim }).upper
    #expect(
      actions == [
        .trim(victim, to: cut), .open(sizes.count, cut..<segments[victim].upperBound, source: 0),
      ])
    #expect(cut % (64 << 10) == 0)
    #expect(abs(cut - segments[victim].lowerBound - near * mib) <= mib)
  }

  @Test(
    "bytes in the system's buffer are not asked for again",
    arguments: [
      // 4 of 100 MiB were received. Columns: the bytes in the buffer, the connections that join, and the MiB near which
      // the first piece then ends.
      (0, 1, 52), (32 * mib, 1, 68), (90 * mib, 1, 97), (32 * mib, 15, 40), (95 * mib + 3 * mib / 4, 1, nil),
      (96 * mib, 1, nil), (200 * mib, 15, nil),
    ] as [(Int64, Int, Int64?)])
  func buffered(count: Int64, more: Int, near: Int64?) throws {
    let plan = plan(size: 100 * mib, [0..<(100 * mib)], rates: [mib])
    plan.plan.note(0, at: 4 * mib, buffered: Int(count), now: 4)
    let actions = plan.plan.next(.init(connections: 1 + more, perSource: [16]), now: 4)
    guard let near else { return #expect(actions.isEmpty) }
    let cut = try #require(plan.pieces.first { $0.id == 0 }).upper
    #expect(cut > 4 * mib + count && abs(cut - near * mib) <= mib, "\(cut)")
    #expect(plan.pieces.count == 1 + more)
  }

  @Test(arguments: [(896 << 10, 0.0, false), (1152 << 10, 0, true), (8 << 20, 0.1, true), (8 << 20, 0.5, false)])
  func nothingIsTakenWhereNothingIsGained(left: Int64, latency: Double, isTaken: Bool) throws {
    // Two connections at 2 MiB a second, with this many bytes left each.
    let plan = Subject(size: 2 * (left + 8 * mib))
    #expect(plan.next(2, now: 0).count == 2)
    for step in 0...80 {
      let now = latency + Double(step) / 20
      for piece in plan.pieces { plan.note(piece.id, at: piece.lower + 1 + Int64(step) * mib / 10, now: now) }
    }
    #expect(plan.pieces.allSatisfy { abs($0.remaining - left) < 10 })
    #expect(plan.next(3, now: latency + 4).isEmpty == !isTaken)
  }

  @Test func whatIsTooMuchIsClosedTheSlowestFirst() {
    let segments = (0..<4).map { (Int64($0) * 50 * mib)..<(Int64($0 + 1) * 50 * mib) }
    let plan = plan(size: 200 * mib, segments, rates: [3 * mib, mib, 4 * mib, 2 * mib], sources: [0, 0, 1, 1])
    #expect(plan.next(3, [8, 8], now: 4) == [.close(1)])
    // The connection already counts as closed.
    #expect(plan.next(3, [8, 8], now: 4) == [])
    #expect(plan.next(2, [8, 1], now: 4) == [.close(3)])
    // The only connection that makes progress stays, even above the limit...
    #expect(plan.next(1, [0, 8], now: 4) == [.close(0)])
    #expect(plan.next(1, [0, 0], now: 4) == [])
    // ...unless another source may do its work.
    #expect(plan.next(1, [1, 0], now: 4).first == .close(2))
    plan.end(2, at: 110 * mib, now: 4)
    #expect(plan.unowned.contains((110 * mib)..<(150 * mib)))
  }

  @Test func oneWithoutAByteIsTheFirstThatIsClosed() {
    let plan = plan(size: 100 * mib, [0..<(100 * mib)], rates: [mib])
    _ = plan.next(3, now: 4)
    #expect(plan.pieces.count == 3)
    #expect(plan.next(1, now: 4) == [.close(2), .close(1)])
  }

  @Test(
    arguments: [
      (100 << 10, 4.0, true), (100 << 10, 2.5, false), (700 << 10, 4.0, false), (0, 4.0, false), (0, 5.5, true),
    ])
  func oneThatCrawlsBesideItsSiblingsIsClosed(rate: Int64, seconds: Double, isClosed: Bool) {
    let segments = (0..<4).map { (Int64($0) * 50 * mib)..<(Int64($0 + 1) * 50 * mib) }
    let plan = plan(size: 200 * mib, segments, rates: [2 * mib, rate, 2 * mib, 2 * mib], seconds: seconds)
    #expect(plan.next(4, now: seconds) == (isClosed ? [.close(1)] : []))
    guard isClosed else { return }
    plan.end(1, at: plan.pieces[1].position, now: seconds)
    #expect(plan.next(4, now: seconds).count == 1 && plan.pieces.count == 4)
  }

  @Test(arguments: [([8], true), ([3, 8], false), ([4, 8], true)])
  func whatIsSlowBecauseItsSourceIsStaysWhereThatHasNoBetter(perSource: [Int], isClosed: Bool) {
    // The slow connection belongs to the second source, if there is one.
    let segments = (0..<4).map { (Int64($0) * 50 * mib)..<(Int64($0 + 1) * 50 * mib) }
    let sources = [0, perSource.count - 1, 0, 0]
    let plan = plan(size: 200 * mib, segments, rates: [2 * mib, 100 << 10, 2 * mib, 2 * mib], sources: sources)
    #expect(plan.next(4, perSource, now: 4).contains(.close(1)) == isClosed)
  }

  @Test func aPlaceThatStaysSlowIsLeftAlone() {
    let segments = (0..<4).map { (Int64($0) * 1000 * mib)..<(Int64($0 + 1) * 1000 * mib) }
    let plan = plan(size: 4000 * mib, segments, rates: [mib, 0, mib, mib], seconds: 1)
    var closed: [Double] = []
    for step in 20...1200 {
      let now = Double(step) / 20
      for piece in plan.pieces where piece.lower != 1000 * mib {
        plan.note(piece.id, at: piece.lower + Int64(now * Double(mib)), now: now)
      }
      for case .close(let id) in plan.next(4, now: now) {
        closed.append(now)
        plan.end(id, at: 1000 * mib, now: now)
      }
    }
    #expect(closed.count == 2)
  }

  /// The first piece was shortened for a second connection, which the server does not answer.
  @Test(
    "a part whose connection does not answer goes back to the one that waits before it",
    arguments: [
      // libcurl delivers up to 16 KiB at once. If the end of the piece lies within them, the first connection waits
      // before it.
      (before: 9000, isWaiting: true, seconds: 1.5, isClosed: true),
      (before: 0, isWaiting: false, seconds: 1.5, isClosed: true),
      (before: 9000, isWaiting: true, seconds: 0.5, isClosed: false),
      (before: 9000, isWaiting: false, seconds: 1.5, isClosed: false),
    ] as [(before: Int64, isWaiting: Bool, seconds: Double, isClosed: Bool)])
  func whatIsNotAnsweredIsTakenBack(before: Int64, isWaiting: Bool, seconds: Double, isClosed: Bool) {
    let plan = Subject(size: 8 * mib)
    _ = plan.adopt(0..<(4 * mib), source: 0, now: 0)
    #expect(plan.next(2, now: 0) == [.open(1, (4 * mib)..<(8 * mib), source: 0)])
    plan.plan.note(0, at: 4 * mib - before, isWaiting: isWaiting, now: seconds)
    #expect(plan.next(2, now: seconds).contains(.close(1)) == isClosed)
  }

  @Test(arguments: [(20 << 10, true), (600 << 10, false)] as [(Int64, Bool)])
  func whatAllWaitForAtTheEndIsGivenToANewConnection(rate: Int64, isClosed: Bool) {
    // 300 KiB are left, too little to split; the other connections are over.
    let plan = plan(size: 64 * mib, [0..<(32 * mib), (32 * mib)..<(64 * mib)], rates: [rate, 8 * mib], seconds: 3)
    plan.end(1, at: 64 * mib, now: 4)
    for step in 0...80 {
      plan.note(0, at: 32 * mib - (300 << 10) - Int64(80 - step) * rate / 20, now: 4 + Double(step) / 20)
    }
    #expect(plan.next(2, now: 8) == (isClosed ? [.close(0)] : []))
    guard isClosed else { return }
    // Without room for a second connection, the piece stays.
    #expect(plan.next(1, now: 8) == [])
    plan.end(0, at: plan.pieces[0].position, now: 8)
    #expect(plan.next(1, now: 8).count == 1)
  }

  @Test func eachSourceIsTriedAndThenTheFastestIsUsed() {
    let segments = (0..<3).map { (Int64($0) * 500 * mib)..<(Int64($0 + 1) * 500 * mib) }
    let plan = plan(size: 1500 * mib, segments, rates: [2 * mib, 8 * mib, mib], sources: [0, 1, 2], seconds: 2)
    func opened(_ connections: Int, _ perSource: [Int]) -> [Int] {
      plan.next(connections, perSource, now: 2)
        .compactMap { if case .open(_, _, let source) = $0 { source } else { nil } }
    }
    #expect(opened(4, [8, 8, 8, 8]) == [3])
    #expect(opened(6, [8, 8, 8, 8]) == [1, 1])
    #expect(opened(7, [8, 3, 8, 1]) == [0])
    // The third crawls compared with the second: its source gets no more connections, even as the only source.
    #expect(opened(9, [1, 3, 8, 1]) == [])
    #expect(opened(9, [0, 0, 0, 0]) == [])
  }

  @Test func aSourceThatWasTooBriefToMeasureIsTriedAgain() throws {
    let plan = plan(size: 50 * mib, [0..<(50 * mib)], rates: [mib])
    func opened(now: Double) -> [Int] {
      plan.next(2, [8, 8], now: now).compactMap { if case .open(_, _, let source) = $0 { source } else { nil } }
    }
    #expect(opened(now: 4) == [1])
    // A whole piece that arrives at once says nothing about the rate.
    plan.end(1, at: 50 * mib, now: 4.01)
    #expect(opened(now: 4.02) == [1])
    // Now it is known to be slow.
    let piece = try #require(plan.pieces.last)
    plan.end(piece.id, at: piece.lower + (100 << 10), now: 6)
    #expect(opened(now: 6) == [0])
  }

  /// A length that a server may report, though no file has it.
  @Test(arguments: [0, 1, 1 << 15, 1 << 16, 1 << 17, 1 << 20] as [Int64])
  func aLengthNearTheLargestIsSplitLikeAnyOther(less: Int64) {
    let size = Int64.max - less
    // At its end, middle and beginning; with and without pieces that bring bytes.
    for done in [0, size / 2, size - 4 * mib, size - (320 << 10), size - 1] {
      for rate in [0, 1, Int64.max / 1000] {
        let plan = Subject(size: size, done: SegmentSet(0..<done))
        _ = plan.next(1, now: 0)
        for step in 1...80 {
          let now = Double(step) / 20
          plan.note(0, at: done + min(size - done - 1, Int64(step) * rate), now: now)
          _ = plan.next(16, now: now)
          _ = plan.plan.next(.init(connections: 16, perSource: [16], firstPiece: Int64.max), now: now)
        }
        let pieces = plan.pieces.reduce(plan.unowned) { owned, piece in
          var owned = owned
          owned.insert(piece.lower..<piece.upper)
          return owned
        }
        #expect(pieces.segments == [done..<size])
      }
    }
  }

  @Test func aPieceThatIsUnknownOrBeyondItsEndChangesNothing() {
    let plan = Subject(size: 10, done: SegmentSet(5..<20))
    #expect(plan.done.description == "5-10")
    let id = plan.adopt(0..<5, source: 0, now: 0)
    plan.note(99, at: 3, now: 1)
    plan.end(99, at: 3, now: 1)
    plan.note(id, at: 99, now: 1)
    #expect(plan.pieces.map(\.position) == [5])
    // Noted bytes may turn out to be missing.
    plan.end(id, at: 2, now: 1)
    #expect(plan.done.description == "0-2,5-10" && plan.unowned.description == "2-5")
  }

  /// Where the bytes are written in units, pieces begin at their borders.
  @Test(arguments: [8 * mib, 12 * mib])
  func piecesAreSplitAtBorders(_ unit: Int64) {
    var plan = SegmentPlan(size: 100 * mib, done: SegmentSet(), unit: unit)
    _ = plan.adopt(0..<100 * mib, source: 0, now: 0)
    for step in 1...40 { plan.note(0, at: Int64(step) * mib / 10, now: Double(step) / 20) }
    var lowers: [Int64] = []
    for action in plan.next(.init(connections: 4, perSource: [8]), now: 2) {
      if case .open(_, let segment, _) = action { lowers.append(segment.lowerBound) }
    }
    #expect(!lowers.isEmpty && lowers.allSatisfy { $0 % unit == 0 })
  }

  /// The end of a file that is shorter than a unit is not split.
  @Test func aUnitIsNotSplit() {
    var plan = SegmentPlan(size: 8 * mib, done: SegmentSet(), unit: 8 * mib)
    _ = plan.adopt(0..<8 * mib, source: 0, now: 0)
    for step in 1...20 { plan.note(0, at: Int64(step) * mib / 20, now: Double(step) / 20) }
    #expect(plan.next(.init(connections: 4, perSource: [8]), now: 1) == [])
  }
}
