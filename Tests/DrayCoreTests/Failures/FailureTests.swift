// What a failure says of what to do next: with the number of its job, and where there is none.

import DrayCore
import Testing

@Suite("Failures")
struct FailureTests {
  @Test(
    "advice names the job, or no command for jobs at all",
    arguments: [
      ("`dray retry ID` tries again", "`dray retry 7` tries again", String?.none),
      ("check the URL; `dray set-url ID URL` goes on", "check the URL; `dray set-url 7 URL` goes on", "check the URL"),
      ("`dray set-url ID URL`; else check the name", "`dray set-url 7 URL`; else check the name", "check the name"),
      ("make room, then `dray run` continues", "make room, then `dray run` continues", nil),
      ("`dray info` shows the answer", "`dray info` shows the answer", "`dray info` shows the answer"),
    ])
  func advised(_ advice: String, _ named: String, _ alone: String?) {
    let failure = Failure(.network, "http://h/f", "it failed", advice: advice)
    #expect(failure.naming(7).advice == named)
    #expect(failure.ofNoJob.advice == alone)
  }
}
