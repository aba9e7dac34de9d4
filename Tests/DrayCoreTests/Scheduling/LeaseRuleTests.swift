// When a runner renews its lease, and when it stops its transfers (P20).

import DrayCore
import Testing

@Suite struct LeaseRuleTests {
  /// Columns: the remaining seconds at consecutive looks, and the standing at the last one.
  private static let looks: [([Double?], LeaseRule.Standing)] = [
    ([nil], .holds), ([30], .holds), ([30, 21], .holds), ([30, 20], .isDue), ([30, 6], .isDue), ([30, 5], .mustStop),
    ([30, 0], .mustStop), ([30, -9], .mustStop), ([30, 4, 30], .holds), ([8], .holds), ([8, 5], .isDue),
    ([8, 2.1], .isDue), ([8, 2], .mustStop), ([0], .mustStop),
  ]

  @Test(arguments: LeaseRuleTests.looks.indices)
  func standing(index: Int) {
    let (remaining, expected) = Self.looks[index]
    var rule = LeaseRule()
    var standing: LeaseRule.Standing?
    for one in remaining { standing = rule.decide(remaining: one) }
    #expect(standing == expected)
  }

  /// Columns: the remaining seconds, the length of the lease, and the seconds to wait for a renewal.
  private static let waits: [(remaining: Double, length: Double, wait: Double)] = [
    (20, 30, 7.5), (12.5, 30, 3.75), (5.5, 30, 1), (5, 30, 30), (-60, 30, 30), (2, 3, 1), (0.5, 3, 10),
  ]

  @Test("a renewal waits for half of the time that is left, and longer once transfers have stopped")
  func renewals() {
    for row in Self.waits { #expect(LeaseRule.patience(remaining: row.remaining, length: row.length) == row.wait) }
    // Two tries that are never answered end before transfers must stop.
    var remaining = 20.0
    for _ in 0..<2 {
      remaining -= LeaseRule.patience(remaining: remaining, length: 30) + LeaseRule.pause(afterFailures: 1)
    }
    #expect(remaining > 5)
  }

  @Test("other calls do not outlast the lease", arguments: [(28.0, 28.0), (10, 10), (4, 10), (-5, 10)])
  func calls(remaining: Double, wait: Double) { #expect(LeaseRule.patience(ofCallWith: remaining) == wait) }

  @Test("tries to reach a store come less often, up to a limit")
  func pauses() {
    let pauses = (1...20).map { LeaseRule.pause(afterFailures: $0) }
    #expect(pauses.first == 0.5 && pauses == pauses.sorted() && pauses.last == 5)
  }
}
