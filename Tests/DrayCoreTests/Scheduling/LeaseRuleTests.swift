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

  @Test("tries to reach a store come less often, up to a limit")
  func pauses() {
    let pauses = (1...20).map { LeaseRule.pause(afterFailures: $0) }
    #expect(pauses.first == 0.5 && pauses == pauses.sorted() && pauses.last == 5)
  }
}
