// Rate limits on injected time: exact, fair between jobs, changeable during waits, and without a busy loop.

import Curl
import Testing

@testable import DrayEngine

/// Connections that are driven as the loop drives them: woken in whole milliseconds, handed chunk after chunk.
private struct Line {
  struct Taker {
    let pace: Pace
    var chunk: Int
    /// The rate of its server, in bytes a second from the start.
    var supply: Double
    var taken = 0
    /// Unused bytes of the current chunk.
    var left: Int
    var due = 0.0
    var start: Double
  }

  var takers: [Taker] = []
  var now = 0.0
  /// The number of moments at which a connection was woken.
  var wakes = 0
  /// How late the loop is each time, in seconds.
  var delay = 0.0
  /// Bytes that a socket holds; more come within a third of a millisecond.
  var buffer = Int.max
  /// Time that the loop spends on a byte, in seconds.
  var cost = 0.0

  mutating func add(_ limiters: [RateLimiter], chunk: Int = 16 << 10, supply: Double = 1e12) {
    takers.append(
      Taker(pace: Pace(limiters), chunk: chunk, supply: supply, left: chunk, due: now, start: now))
  }

  var sum: Int { takers.reduce(0) { $0 + $1.taken } }

  /// The smallest number of bytes that a taker got, divided by the largest.
  var evenness: Double {
    Double(takers.map(\.taken).min() ?? 0) / Double(max(1, takers.map(\.taken).max() ?? 0))
  }

  mutating func run(seconds: Double) {
    let end = now + seconds
    while let due = takers.map(\.due).min(), due + delay <= end {
      now = max(now, due, (due * 1000).rounded(.up) / 1000) + delay
      wakes += 1
      for index in takers.indices where takers[index].due <= now { serve(index) }
    }
    now = max(now, end)
  }

  private mutating func serve(_ index: Int) {
    let before = takers[index].taken
    defer { now += Double(takers[index].taken - before) * cost }
    while true {
      guard takers[index].taken - before < buffer else { return takers[index].due = now + 0.0003 }
      let (now, taker) = (self.now, takers[index])
      let chunkStart = taker.taken + taker.left - taker.chunk
      let arrives = taker.start + Double(chunkStart + taker.chunk) / taker.supply
      guard arrives <= now else { return takers[index].due = arrives + 1e-6 }
      let block = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: 4096), count: taker.chunk)
      var used = 0
      let verdict = takers[index].pace.admit(block, now: { now }) {
        used = $0.count
        return .taken
      }
      takers[index].taken += used
      takers[index].left -= used
      switch verdict {
      case .taken: takers[index].left = taker.chunk
      case .pause(let time): return takers[index].due = time
      case .abort: return
      }
    }
  }
}

private func limit(_ rate: Int64?) -> RateLimiter { RateLimiter(bytesPerSecond: rate) }

@Suite struct RateLimiterTests {
  @Test(arguments: [1000, 50 << 10, 1 << 20, 200 << 20] as [Int64], [1, 5, 40])
  func theRateIsExactAndEvenlySharedByJobs(rate: Int64, jobs: Int) {
    let overall = limit(rate)
    var line = Line()
    // Chunks of all sizes, like TLS records and HTTP/2 frames.
    for job in 0..<jobs {
      line.add([limit(nil), overall], chunk: [16 << 10, 1400, 16, 9000][rate > 1 << 20 ? 0 : job % 4])
    }
    line.run(seconds: 5)
    #expect(abs(Double(line.sum) / Double(rate) / 5 - 1) <= 0.03)
    #expect(line.evenness >= 0.95)
    // No busy loop: at most a hundred wake-ups a second, however many wait.
    #expect(line.wakes <= 520)
  }

  @Test(arguments: [50 << 10, 200 << 20] as [Int64]) func aLoopThatIsLateCatchesUp(rate: Int64) {
    let overall = limit(rate)
    var line = Line()
    for _ in 0..<5 { line.add([limit(nil), overall]) }
    line.delay = 0.035
    line.run(seconds: 5)
    #expect(abs(Double(line.sum) / Double(rate) / 5 - 1) <= 0.03 && line.evenness >= 0.95)
  }

  @Test(arguments: [nil, 1 << 20] as [Int64?]) func aBudgetIsTakenToTheByte(rate: Int64?) {
    let overall = RateLimiter(bytesPerSecond: rate, budget: 100_001)
    var line = Line()
    for _ in 0..<3 { line.add([limit(nil), overall]) }
    line.run(seconds: 5)
    #expect(line.sum == 100_001 && overall.isSpent)
  }

  @Test func aBudgetThatSufficesIsNotSpent() {
    let limiter = RateLimiter(bytesPerSecond: nil, budget: 10)
    let share = limiter.join()
    let all = share.take(10, now: 0)
    #expect(all.count == 10 && all.wait == 0 && !limiter.isSpent)
    share.giveBack(4)
    let rest = share.take(5, now: 0)
    #expect(rest.count == 4 && rest.wait > 0 && limiter.isSpent)
  }

  @Test func itMakesNoDifferenceWhoIsServedFirst() {
    let overall = limit(200 << 20)
    var line = Line()
    (line.buffer, line.cost) = (128 << 10, 1 / 1.5e9)
    for _ in 0..<5 { line.add([limit(nil), overall]) }
    line.run(seconds: 5)
    #expect(abs(Double(line.sum) / Double(5 * 200 << 20) - 1) <= 0.03 && line.evenness >= 0.95, "\(line.evenness)")
  }

  @Test(arguments: [50 << 10, 1 << 20, 200 << 20] as [Int64])
  func theSegmentsOfAJobShareItsLimit(rate: Int64) {
    let (own, overall) = (limit(rate), limit(nil))
    var line = Line()
    for _ in 0..<8 { line.add([own, overall]) }
    line.run(seconds: 5)
    #expect(abs(Double(line.sum) / Double(rate) / 5 - 1) <= 0.03 && line.evenness >= 0.9)
  }

  @Test(arguments: [50 << 10, 1 << 20, 50 << 20] as [Int64])
  func aJobGetsNoMoreForHavingMoreConnections(rate: Int64) {
    let (overall, own) = (limit(rate), limit(nil))
    var line = Line()
    for _ in 0..<8 { line.add([own, overall]) }
    for _ in 0..<3 { line.add([limit(nil), overall]) }
    line.run(seconds: 5)
    let jobs = [line.takers[..<8].reduce(0) { $0 + $1.taken }] + line.takers[8...].map(\.taken)
    for taken in jobs { #expect(abs(Double(taken) / (Double(rate) * 5 / 4) - 1) <= 0.04, "\(jobs)") }
  }

  @Test func whatOneDoesNotTakeIsForTheOthers() {
    let overall = limit(1_000_000)
    var line = Line()
    line.add([limit(nil), overall], supply: 100_000)
    line.add([limit(50_000), overall])
    line.add([limit(nil), overall])
    line.add([limit(nil), overall], chunk: 1000)
    line.run(seconds: 10)
    for (taker, rate) in zip(line.takers, [100_000.0, 50_000, 425_000, 425_000]) {
      #expect(abs(Double(taker.taken) / 10 / rate - 1) <= 0.04, "\(line.takers.map(\.taken))")
    }
  }

  @Test func oneThatLeavesLeavesItsPartToTheOthers() {
    let overall = limit(1_000_000)
    var line = Line()
    for _ in 0..<4 { line.add([limit(nil), overall]) }
    line.run(seconds: 2)
    let before = line.takers[0].taken
    line.takers.removeLast(3)
    line.run(seconds: 5)
    #expect(abs(Double(line.takers[0].taken - before) / 5e6 - 1) <= 0.03)
  }

  @Test(arguments: [(1000, 1_000_000), (200_000_000, 50_000), (50_000, 50_001)] as [(Int64, Int64)])
  func aChangeCountsAtOnceForThoseWhoWait(first: Int64, second: Int64) {
    let overall = limit(first)
    var line = Line()
    for _ in 0..<3 { line.add([limit(nil), overall]) }
    line.run(seconds: 3)
    let before = line.sum
    overall.setLimit(second)
    line.run(seconds: 5)
    #expect(abs(Double(line.sum - before) / Double(second) / 5 - 1) <= 0.06, "\(line.sum - before)")
    #expect(line.evenness >= 0.95)
  }

  @Test func unusedTimeIsKeptForAMomentOnly() {
    let own = limit(1000)
    let share = own.join()
    #expect(share.take(500, now: 100) == (0, 0.1))
    #expect(share.take(500, now: 100.125).count == 125)
    #expect(share.take(375, now: 100.5).count == 375)
    // No transfer waits from here on.
    #expect(share.take(5000, now: 500).count == 50)
    // A waiting transfer gets the whole elapsed time, up to a second.
    #expect(share.take(5000, now: 500.75).count == 750)
    #expect(share.take(5000, now: 600).count == 1000)
    share.giveBack(300)
    #expect(share.take(5000, now: 600).count == 300)
  }

  @Test func aChangeCanBeSeen() {
    let own = limit(1000)
    let pace = Pace([own, limit(nil)])
    #expect(pace.take(10_000) { 100 }.count == 0)
    #expect(pace.heldUntil > 100 && !pace.mustAskAgain(now: 100.001))
    own.setLimit(1000)
    #expect(!pace.mustAskAgain(now: 100.001))
    own.setLimit(nil)
    #expect(pace.mustAskAgain(now: 100.001) && !pace.mustAskAgain(now: 101))
    let all = pace.take(10_000) { 100.001 }
    #expect(all.count == 10_000 && all.until == nil && pace.heldUntil == 0)
  }

  @Test(arguments: [nil, 0] as [Int64?]) func noLimit(_ rate: Int64?) {
    let share = limit(rate).join()
    for _ in 0..<3 { #expect(share.take(1 << 40, now: 7) == (1 << 40, 0)) }
    let free = Pace([])
    #expect(free.take(1 << 40) { 0 }.count == 1 << 40)
  }
}

@Suite struct PaceTests {
  /// The bytes 0, 1, 2… in pieces of `sizes`; each repeats after a pause, perhaps cut differently.
  @Test(arguments: [[1000], [16384], [300, 5000, 1, 16384], [100]])
  func eachByteIsUsedOnceAndInItsOrder(sizes: [Int]) {
    let all = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let pace = Pace([limit(5000), limit(7000)])
    var (used, position, now, turn): ([UInt8], Int, Double, Int) = ([], 0, 100, 0)
    while position < all.count, now < 200 {
      let piece = Array(all[position..<min(all.count, position + sizes[turn % sizes.count])])
      turn += 1
      let verdict = piece.withUnsafeBytes { bytes in
        pace.admit(bytes, now: { now }) {
          used += $0
          return .taken
        }
      }
      if case .pause(let time) = verdict { now = time } else { position += piece.count }
    }
    #expect(used == all)
    #expect(abs(now - 108) < 0.3)
  }

  @Test func nothingIsNothingEvenWhileBytesAreHeldBack() {
    let pace = Pace([limit(1000)])
    let bytes = [UInt8](repeating: 1, count: 1000)
    func used(_ count: Int, at now: Double) -> Int? {
      var used: Int?
      bytes[..<count].withUnsafeBytes { bytes in
        _ = pace.admit(bytes, now: { now }) {
          used = $0.count
          return .taken
        }
      }
      return used
    }
    #expect(used(0, at: 100) == 0)
    #expect(used(1000, at: 100) == nil)
    #expect(used(1000, at: 100.5) == 500)
    #expect(used(0, at: 100.5) == nil)
    #expect(used(1000, at: 101) == 500)
  }

  @Test func whatIsNotUsedIsNotCounted() {
    let pace = Pace([limit(1000)])
    let block = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: 4096), count: 1000)
    func verdict(at now: Double, _ verdict: BodyVerdict) -> (used: Int, BodyVerdict) {
      var used = 0
      let result = pace.admit(block, now: { now }) {
        used = $0.count
        return verdict
      }
      return (used, result)
    }
    _ = verdict(at: 100, .taken)
    #expect(verdict(at: 100.5, .pause(until: 200)).used == 500)
    #expect(verdict(at: 100.5, .taken).used == 500)
    #expect(verdict(at: 100.75, .abort).used == 250)
    pace.reset()
    #expect(verdict(at: 101.75, .taken).used == 1000)
  }
}
