// What a run says about the jobs of other runners, and when.

import DrayKit
import Testing

@testable import DrayCommands

@Suite("jobs of other runners")
struct OthersReportTests {
  @Test("a wait for a lease is said once, after some seconds")
  func lease() {
    var report = OthersReport()
    var snapshot = RunnerSnapshot(elsewhere: 2)
    snapshot.isWaitingForOthers = true
    #expect(report.words(snapshot, now: 10) == nil && report.words(snapshot, now: 12.9) == nil)
    let said = report.words(snapshot, now: 13.1)
    #expect(said?.hasPrefix("another runner has 2 jobs; waiting") == true)
    #expect(report.words(snapshot, now: 20) == nil)
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
