// The report at the end of a run.

import DrayKit
import Testing

@testable import DrayCommands

@Suite("Report of a run")
struct RunReportTests {
  private func summary(_ complete: Int, _ failed: Int = 0, _ interrupted: Int = 0, _ paused: Int = 0) -> RunSummary {
    var summary = RunSummary()
    (summary.complete, summary.failed) = (complete, failed)
    (summary.interrupted, summary.paused) = (interrupted + paused, paused)
    return summary
  }

  @Test("the outcome of the jobs, and after a long run each failure again")
  func ended() {
    #expect(RunReport.lines(summary(0), failures: []).isEmpty)
    #expect(RunReport.lines(summary(1), failures: []).isEmpty)
    #expect(RunReport.lines(summary(0, 1), failures: ["a"]).isEmpty)
    #expect(RunReport.lines(summary(2), failures: []) == ["2 done"])
    #expect(RunReport.lines(summary(1, 1), failures: ["a"]) == ["1 done, 1 failed"])
    // Nothing has come between this line and its repetition.
    #expect(RunReport.lines(summary(0, 7), failures: ["a"]) == ["7 failed"])
    #expect(RunReport.lines(summary(400, 1), failures: ["a"]) == ["400 done, 1 failed", "a"])
    #expect(
      RunReport.lines(summary(3, 1, 2, 1), failures: ["a", "b", "c"]).first
        == "3 done, 1 failed, 2 interrupted, 1 paused")
    let many = RunReport.lines(summary(0, 30), failures: (0..<30).map { "f\($0)" })
    #expect(many.count == 22 && many.last == "10 more; `dray list --state failed,interrupted` shows them")
  }

  @Test("a run with nothing to do names the waiting jobs, with advice")
  func nothing() {
    #expect(RunReport.nothingToDo([]) == "nothing to do; `dray add URL` queues a download")
    #expect(RunReport.nothingToDo([(7, .failed)]) == "nothing to do; 1 failed: `dray retry 7`")
    #expect(
      RunReport.nothingToDo([(1, .paused), (2, .failed), (3, .queued), (4, .failed), (5, .interrupted)])
        == "nothing to do; 2 failed: `dray retry 2 4`; 1 interrupted: `dray resume 5`; 1 paused: `dray resume 1`; 1 waiting: `dray list`"
    )
    #expect(RunReport.nothingToDo((1...9).map { ($0, .failed) }) == "nothing to do; 9 failed: `dray retry 1 2 3 4 5 …`")
  }
}
