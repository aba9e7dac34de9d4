// The rate over the last three seconds: of a steady count, a count that stops, and a count that grows in bursts.

import Testing

@testable import DrayCore

@Suite struct RateWindowTests {
  /// A window that receives the value of `count` every `interval` seconds for `seconds`.
  private func window(seconds: Double, every interval: Double, _ count: (Double) -> Double) -> RateWindow {
    var window = RateWindow(count: 0, now: 0)
    var now = interval
    while now <= seconds + 1e-9 {
      window.note(Int64(count(now)), now: now)
      now += interval
    }
    return window
  }

  @Test(arguments: [0.001, 0.03, 0.2, 0.7, 2.0], [0.5, 2.0, 10, 100])
  func aSteadyCountHasItsRateHoweverOftenItIsNoted(interval: Double, seconds: Double) {
    let window = window(seconds: seconds, every: interval) { $0 * 1000 }
    let noted = (seconds / interval + 1e-9).rounded(.down) * interval
    #expect(abs(window.rate(now: max(noted, interval)) - (noted > 0 ? 1000 : 0)) <= 50)
  }

  @Test func whatIsOlderThanThreeSecondsCountsNoMore() {
    let window = window(seconds: 20, every: 0.05) { min($0, 10) * 1000 }
    #expect(window.rate(now: 20) == 0)
    #expect(abs(self.window(seconds: 11.5, every: 0.05) { min($0, 10) * 1000 }.rate(now: 11.5) - 500) < 50)
    // The rate fades even without new values.
    #expect(self.window(seconds: 10, every: 0.05) { $0 * 1000 }.rate(now: 100) < 5)
  }

  @Test(arguments: [3.0, 4.0, 7.5, 12.25])
  func burstsOfASecondAreEvenedOut(seconds: Double) {
    let rate = window(seconds: seconds, every: 0.03) { ($0.rounded(.down) + 1) * 1000 }.rate(now: seconds)
    #expect((600...1400).contains(rate))
  }

  @Test func itStartsOverAndNeverFallsBelowZero() {
    var window = window(seconds: 5, every: 0.1) { $0 * 1000 }
    window.restart(count: 5000, now: 5)
    #expect(window.start == 5 && window.rate(now: 5.1) == 0)
    window.note(6000, now: 6)
    #expect(window.rate(now: 6) == 1000)
    window.note(1000, now: 7)
    #expect(window.rate(now: 7) == 0)
  }
}
