// What is said of a target that another job has: never an advice that sends a request twice (P10).

import DrayCore
import Testing

@Suite struct TargetClashTests {
  @Test(
    arguments: [
      (.queued, false, ["is queued", "dray run", "dray remove 7", "-o"], []),
      (.active, false, ["is active", "dray wait 7", "-o"], ["remove"]),
      (.interrupted, false, ["is interrupted", "dray resume 7", "dray remove 7", "-o"], ["server"]),
      (.paused, false, ["is paused", "dray resume 7", "dray remove 7"], []),
      (.interrupted, true, ["is interrupted", "was sent", "dray resume 7", "dray remove 7"], ["-o", "rename"]),
      (.paused, true, ["is paused", "was sent", "dray resume 7"], ["-o", "rename"]),
      (.active, true, ["is active", "dray wait 7"], []),
    ] as [(JobState, Bool, [String], [String])])
  func words(_ state: JobState, _ wasSubmitted: Bool, _ said: [String], _ unsaid: [String]) {
    let failure = TargetClash(job: 7, state: state, wasSubmitted: wasSubmitted).failure("/d/f")
    #expect(failure.kind == .file && failure.subject == "/d/f")
    for word in said { #expect(failure.message.contains(word), "\(failure.message)") }
    for word in unsaid { #expect(!failure.message.contains(word), "\(failure.message)") }
  }
}
