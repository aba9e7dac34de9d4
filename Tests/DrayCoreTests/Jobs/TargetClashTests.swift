// The message about a target that another job has: its advice never sends a request twice (P10).

import DrayCore
import Testing

@Suite struct TargetClashTests {
  @Test(
    arguments: [
      (.queued, false, ["is queued", "another run", "removing job 7", "output name"], []),
      (.active, false, ["is active", "waiting for job 7", "output name"], ["removing"]),
      (.interrupted, false, ["is interrupted", "resuming job 7", "removing job 7", "output name"], ["server"]),
      (.paused, false, ["is paused", "resuming job 7", "removing job 7"], []),
      (
        .interrupted, true, ["is interrupted", "was sent", "resuming job 7", "removing job 7"],
        ["output name", "conflict policy"]
      ),
      (.paused, true, ["is paused", "was sent", "resuming job 7"], ["output name", "conflict policy"]),
      (.active, true, ["is active", "waiting for job 7"], []),
    ] as [(JobState, Bool, [String], [String])])
  func words(_ state: JobState, _ wasSubmitted: Bool, _ said: [String], _ unsaid: [String]) {
    let failure = TargetClash(job: 7, state: state, wasSubmitted: wasSubmitted).failure("/d/f")
    #expect(failure.kind == .file && failure.subject == "/d/f")
    let message = failure.message(.plain)
    for word in said { #expect(message.contains(word), "\(message)") }
    for word in unsaid { #expect(!message.contains(word), "\(message)") }
  }
}
