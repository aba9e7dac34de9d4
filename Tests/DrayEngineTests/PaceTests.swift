// Stalls and rate limits, with the time handed in.

import Testing

@testable import DrayEngine

@Suite struct StallDetectorTests {
  /// Bytes a second that arrive ten times a second; when the stall is seen, if it is.
  private func stall(window: Double, seconds: Double, rate: (Double) -> Double) -> Double? {
    var detector = StallDetector(window: window)
    var (now, bytes) = (1000.0, 0.0)
    let start = now
    while now - start < seconds {
      if detector.isStalled(bytes: Int64(bytes), now: now) { return now - start }
      bytes += rate(now - start) * 0.1
      now += 0.1
    }
    return nil
  }

  @Test(arguments: [
    (2000.0, false), (1100.0, false), (900.0, true), (1.0, true), (0.0, true),
  ])
  func aSteadyRate(_ rate: Double, _ stalls: Bool) {
    let seen = stall(window: 30, seconds: 300) { _ in rate }
    #expect((seen != nil) == stalls)
    if let seen { #expect(seen >= 30 && seen < 31) }
  }

  @Test func silenceAfterPlentyIsSeenWithinTwoWindows() throws {
    let seen = try #require(stall(window: 30, seconds: 300) { $0 < 100 ? 1e6 : 0 })
    #expect(seen > 129 && seen < 164)
  }

  @Test func aPauseShorterThanTheWindowIsNone() {
    #expect(stall(window: 30, seconds: 300) { $0.truncatingRemainder(dividingBy: 60) < 35 ? 1e5 : 0 } == nil)
  }

  @Test func aResetBeginsAnew() {
    var detector = StallDetector(window: 10)
    let before = [0, 9.9].map { detector.isStalled(bytes: 0, now: $0) }
    detector.reset()
    let after = [10.1, 20, 20.2].map { detector.isStalled(bytes: 0, now: $0) }
    #expect(before == [false, false])
    #expect(after == [false, false, true])
  }
}

@Suite struct RateLimiterTests {
  @Test func reservationsStandInLine() {
    let limiter = RateLimiter(bytesPerSecond: 1000)
    // A tenth of a second that was not used before counts.
    #expect(limiter.reserve(500, now: 100) == 99.9)
    #expect(limiter.reserve(1000, now: 100) == 100.4)
    #expect(limiter.reserve(1, now: 100) == 101.4)
    // Whoever asks later goes later, whatever the time is by then.
    #expect(abs(limiter.reserve(1, now: 101) - 101.401) < 1e-9)
  }

  @Test func unusedTimeIsKeptUpToTheSlack() {
    let limiter = RateLimiter(bytesPerSecond: 1000)
    _ = limiter.reserve(1000, now: 100)
    #expect(limiter.reserve(1000, now: 500) == 499.9)
    #expect(limiter.reserve(1000, now: 500) == 500.9)
  }

  @Test func theRateIsKeptOverTime() {
    let limiter = RateLimiter(bytesPerSecond: 10_000)
    var now = 0.0
    for _ in 0..<1000 { now = max(now, limiter.reserve(500, now: now)) }
    #expect(abs(now - 49.85) < 0.11)
  }

  @Test func aChangeBeginsTheLineAnew() {
    let limiter = RateLimiter(bytesPerSecond: 1000)
    _ = limiter.reserve(10_000, now: 100)
    let generation = limiter.generation
    limiter.setLimit(1000)
    #expect(limiter.generation == generation)
    limiter.setLimit(100)
    #expect(limiter.generation == generation + 1)
    #expect(limiter.reserve(100, now: 100) == 99.9)
    #expect(limiter.reserve(100, now: 100) == 100.9)
    limiter.setLimit(nil)
    #expect(limiter.reserve(1 << 30, now: 100) == 100)
    // The time without a limit is not saved up.
    limiter.setLimit(1000)
    #expect(limiter.reserve(1000, now: 200) == 199.9)
    #expect(limiter.reserve(1000, now: 200) == 200.9)
  }

  @Test(arguments: [nil, 0] as [Int64?]) func noLimit(_ rate: Int64?) {
    let limiter = RateLimiter(bytesPerSecond: rate)
    for _ in 0..<3 { #expect(limiter.reserve(1 << 40, now: 7) == 7) }
  }
}

@Suite struct PaceTests {
  @Test func bytesThatAreGrantedAreNotAskedForAgain() {
    let limiter = RateLimiter(bytesPerSecond: 1000)
    var pace = Pace([limiter])
    #expect(pace.hold(1000) { 100 } == nil)
    #expect(pace.hold(1000) { 100 } == 100.9)
    // libcurl gives them again when the time has come, perhaps in other pieces.
    #expect(pace.hold(600) { 100.9 } == nil)
    #expect(pace.hold(400) { 100.9 } == nil)
    #expect(pace.hold(1) { 100.9 } == 101.9)
  }

  @Test func whoeverIsHeldAsksAgainWhenTheLimitChanges() {
    let (own, overall) = (RateLimiter(bytesPerSecond: 1_000_000), RateLimiter(bytesPerSecond: 10))
    var (one, other) = (Pace([own, overall]), Pace([overall]))
    #expect(one.hold(1000) { 100 } == nil)
    #expect(one.hold(1000) { 100 } == 199.9)
    #expect(other.hold(1000) { 100 } == 299.9)
    #expect(!one.mustAskAgain(now: 101))
    overall.setLimit(1000)
    #expect(one.mustAskAgain(now: 101) && other.mustAskAgain(now: 101))
    #expect(one.hold(1000) { 101 } == nil)
    #expect(other.hold(1000) { 101 } == 101.9)
    #expect(!other.mustAskAgain(now: 101))
    overall.setLimit(nil)
    #expect(other.mustAskAgain(now: 101.1))
    #expect(other.hold(1000) { 101.1 } == nil)
    #expect(other.heldUntil == 0)
  }

  @Test func theSlowestLimitCounts() {
    var pace = Pace([
      RateLimiter(bytesPerSecond: 1000), RateLimiter(bytesPerSecond: 100), RateLimiter(bytesPerSecond: nil),
    ])
    #expect(pace.hold(100) { 50 } == nil)
    #expect(pace.hold(100) { 50 } == 50.9)
    var free = Pace([])
    #expect(free.hold(1 << 40) { 0 } == nil)
  }
}
