// What a run says about the jobs of other runners, and when.

import DrayKit
import Testing

@testable import DrayCommands

@Suite("jobs of other runners")
struct OthersReportTests {
  @Test("a wait for a lease is said once for each runner, after some seconds")
  func lease() {
    var report = OthersReport()
    var snapshot = RunnerSnapshot(elsewhere: 2)
    snapshot.others = OthersWait(names: ["node19"], jobs: 2, seconds: 26.2)
    #expect(report.words(snapshot, now: 10) == nil && report.words(snapshot, now: 12.9) == nil)
    #expect(
      report.words(snapshot, now: 13.1) == "waiting up to 27 s for 2 jobs of runner node19, which does not answer")
    #expect(report.words(snapshot, now: 20) == nil)
    snapshot.others?.names.append("node20")
    #expect(report.words(snapshot, now: 21)?.contains("node20") == true)
    #expect(report.words(snapshot, now: 22) == nil)
  }

  @Test(
    "the runners are named, and how long it takes at most",
    arguments: [
      (["a"], 1, 0.2, "waiting up to 1 s for a job of runner a, which does not answer"),
      (["a", "b"], 3, 9, "waiting up to 9 s for 3 jobs of runners a and b, which do not answer"),
      (
        ["a", "b", "c", "d", "e"], 9, 9,
        "waiting up to 9 s for 9 jobs of runners a, b, c and 2 more, which do not answer"
      ),
      (["a"], 2, 0, "waiting for 2 jobs of runner a, whose lease is over"),
      (["a\u{1B}[31m", "b"], 2, 0, "waiting for 2 jobs of runners a\\u{1B}[31m and b, whose leases are over"),
    ])
  func words(names: [String], jobs: Int, seconds: Double, text: String) {
    #expect(OthersReport.text(OthersWait(names: names, jobs: jobs, seconds: seconds)) == text)
  }

  @Test("named jobs that another process fetches are said at once, and nothing while this run transfers")
  func named() {
    var report = OthersReport()
    #expect(report.words(RunnerSnapshot(), now: 1) == nil)
    #expect(report.words(RunnerSnapshot(elsewhere: 1), now: 1) == nil, "a run of the whole queue")
    var snapshot = RunnerSnapshot(queued: 1, elsewhere: 1)
    snapshot.isNamed = true
    #expect(report.words(snapshot, now: 1) == nil)
    snapshot.queued = 0
    #expect(report.words(snapshot, now: 1)?.contains("fetching this") == true)
    #expect(report.words(snapshot, now: 2) == nil)
  }
}
