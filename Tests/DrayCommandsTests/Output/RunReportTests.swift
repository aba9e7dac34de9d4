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
    func text(_ jobs: [RunReport.Rest]) -> String { RunReport.nothingToDo(jobs, since: 100, now: 100) }
    #expect(text([]) == "nothing to do; `dray add URL` queues a download")
    #expect(text([.init(7, .failed)]) == "nothing to do; 1 failed: `dray retry 7`")
    #expect(
      text([
        .init(1, .paused), .init(2, .failed), .init(3, .queued), .init(4, .failed),
        .init(5, .interrupted, notBefore: 99),
      ])
        == "nothing to do; 2 failed: `dray retry 2 4`; 1 interrupted: `dray resume 5`; 1 paused: `dray resume 1`; 1 waiting: `dray list`"
    )
    #expect(text((1...9).map { .init($0, .failed) }) == "nothing to do; 9 failed: `dray retry 1 2 3 4 5 …`")
  }

  @Test("jobs for whose server a run does not wait are named with the time, and are no success")
  func held() throws {
    let refused = Failure(.status, "http://a/", "a answered 503", httpStatus: 503)
    let jobs: [RunReport.Rest] = [
      .init(2, .interrupted, notBefore: 9000, failure: refused),
      .init(3, .interrupted, notBefore: 8000, failure: refused),
      .init(4, .failed), .init(5, .interrupted), .init(6, .queued, notBefore: 9000),
    ]
    let waiting = try #require(RunReport.HeldJobs(jobs, since: 100))
    #expect(waiting.exitStatus == .status)
    let words = "2 wait until \(TimeStamp.moment(8000, now: 100)) (a answered 503): `dray run` continues after that"
    #expect(waiting.text(now: 100) == words)
    let rest = "1 failed: `dray retry 4`; 1 interrupted: `dray resume 5`; 1 waiting: `dray list`"
    #expect(RunReport.nothingToDo(jobs, since: 100, now: 100) == "nothing to do; \(words); \(rest)")
    // A run that began after the waits has continued these jobs.
    #expect(RunReport.HeldJobs(jobs, since: 9001) == nil)
  }

  @Test("a wait that ends during a run: its job is not done, and may continue")
  func endedHolds() throws {
    let jobs: [RunReport.Rest] = [
      .init(2, .interrupted, notBefore: 9000), .init(3, .interrupted, notBefore: 8000),
      .init(4, .interrupted, notBefore: 50),
    ]
    let held = try #require(RunReport.HeldJobs(jobs, since: 100))
    let words = "1 waits until \(TimeStamp.moment(9000, now: 8500)): `dray run` continues after that"
    #expect(held.text(now: 8500) == "\(words); 1 may continue now: `dray run`")
    #expect(held.text(now: 9500) == "2 may continue now: `dray run`")
    #expect(held.exitStatus == .status)
    #expect(
      RunReport.nothingToDo(jobs, since: 100, now: 9500)
        == "nothing to do; 2 may continue now: `dray run`; 1 interrupted: `dray resume 4`")
  }
}
