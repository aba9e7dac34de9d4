// Limits on the number of jobs, set during a run.

import DrayCore
import Testing

@Suite struct JobsLimitTests {
  @Test(
    "a number, or off",
    arguments: [
      ("1", .fixed(1)), ("1000", .fixed(1000)), ("off", .asManyAsHelp), ("0", nil), ("1001", nil), ("auto", nil),
      ("-1", nil), ("", nil), ("3x", nil),
    ] as [(String, JobsLimit?)])
  func parse(_ text: String, _ limit: JobsLimit?) {
    #expect(JobsLimit(text) == limit)
    if let limit { #expect(JobsLimit(limit.description) == limit) }
  }

  @Test("a number replaces growth, a new number replaces the old; off resumes growth")
  func growth() {
    var growth = JobGrowth()
    growth.setJobs(2)
    #expect(growth.limit == 2 && growth.ahead == 0)
    // Even with many large files.
    for _ in 0..<9 { _ = growth.answered("o", size: 1 << 30, isMultiplexed: false) }
    #expect(growth.limit == 2)
    growth.setJobs(80)
    #expect(growth.limit == 80 && growth.usualLimit == 80)
    growth.setJobs(nil)
    #expect(growth.limit == JobGrowth.few && growth.usualLimit == JobGrowth.connections)
    var bounded = JobGrowth(most: 8)
    bounded.setJobs(40)
    #expect(bounded.limit == 8)
    var hosts = JobGrowth(jobs: 2, perOrigin: 3)
    hosts.setJobs(40)
    #expect(hosts.limit == 40 && hosts.usualLimit == 3)
  }
}
