// The shares of a limit on open descriptors: never more than exist, never zero.

import DrayCore
import Testing

@Suite struct DescriptorBudgetTests {
  @Test(
    "D2 the shares fit into the limit, and none is zero",
    arguments: [0, 1, 31, 32, 38, 40, 64, 100, 256, 1024, 4096, 65_536, 1 << 20])
  func fits(limit: Int) {
    let budget = DescriptorBudget(limit: limit)
    for count in [budget.jobs, budget.publishing, budget.connections, budget.directories] { #expect(count >= 1) }
    let open = 2 * budget.jobs + 2 * budget.publishing + budget.connections
    if limit >= DescriptorBudget.own + 6 { #expect(open + DescriptorBudget.own <= limit) }
    #expect(budget.publishing <= 512 && budget.directories <= 64)
  }

  @Test func aLargeLimitIsNone() {
    #expect(DescriptorBudget(limit: nil).jobs == .max)
    #expect(DescriptorBudget(limit: 16_384).jobs > 1000)
  }
}
