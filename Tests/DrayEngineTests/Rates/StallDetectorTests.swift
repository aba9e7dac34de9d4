// Stalls, on injected time.

import Testing

@testable import DrayEngine

@Suite struct StallDetectorTests {
  /// When a stall is detected if `rate` bytes a second arrive, in ten pieces a second; `nil` for no stall.
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

  @Test("a stopped process is not a stall of the sender")
  func aLongGapBetweenLooksStartsItOver() {
    var detector = StallDetector(window: 30)
    let looks = [0, 10, 20, 29, 3600, 3610, 3620, 3629, 3630.1].map { detector.isStalled(bytes: 0, now: $0) }
    #expect(looks == [false, false, false, false, false, false, false, false, true])
  }

  @Test("late polls do not keep a short window open")
  func aShortWindow() {
    var detector = StallDetector(window: 0.2)
    #expect([0, 0.15, 0.3].map { detector.isStalled(bytes: 0, now: $0) } == [false, false, true])
  }

  @Test func aResetStartsItOver() {
    var detector = StallDetector(window: 10)
    let before = [0, 4.9, 9.8].map { detector.isStalled(bytes: 0, now: $0) }
    detector.reset()
    let after = [10.1, 15, 19, 20.2].map { detector.isStalled(bytes: 0, now: $0) }
    #expect(before == [false, false, false])
    #expect(after == [false, false, false, true])
  }
}
