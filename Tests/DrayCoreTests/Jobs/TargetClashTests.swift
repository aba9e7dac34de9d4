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
    #expect(failure.owner == Failure.TargetOwner(7, isActive: state == .active))
  }

  @Test(
    "a job that pauses is waited for; one that nobody continues, or that pauses for long, is not",
    arguments: [(nil, false), (0.5, true), (60, true), (61, false), (3600, false), (-2, true), (-11, false)]
      as [(Double?, Bool)])
  func pausing(_ pause: Double?, _ isPausing: Bool) {
    let failure = TargetClash(job: 7, state: .queued, wasSubmitted: false, pause: pause).failure("/d/f")
    #expect(failure.clashAnswer(.overwrite) == (isPausing ? .wait : .refuse))
    // In other states, the time says when the job may be continued.
    #expect(!TargetClash(job: 7, state: .interrupted, wasSubmitted: false, pause: pause).isPausing)
  }

  @Test(
    "what becomes of a job whose target is another's",
    arguments: [
      (.fail, false, false, .refuse), (.fail, true, true, .refuse),
      (.rename, false, true, .rename), (.rename, true, false, .rename),
      (.skip, false, false, .skip), (.skip, true, true, .skip),
      (.overwrite, false, true, .refuse), (.overwrite, true, false, .refuse), (.overwrite, true, true, .wait),
    ] as [(ConflictPolicy, Bool, Bool, ClashAnswer)])
  func answers(_ policy: ConflictPolicy, _ isLate: Bool, _ isActive: Bool, _ answer: ClashAnswer) {
    #expect(ClashAnswer.decide(policy, isLate: isLate, isActive: isActive) == answer)
    guard isLate else { return }
    let clash = TargetClash(job: 7, state: isActive ? .active : .paused, wasSubmitted: false)
    #expect(clash.failure("/d/f").clashAnswer(policy) == answer)
    #expect(Failure(.file, "/d/f", "x").clashAnswer(policy) == nil)
  }
}
