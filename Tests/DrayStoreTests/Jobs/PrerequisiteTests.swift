// Jobs that wait for jobs: none starts before, none waits forever.

import DrayCore
import Foundation
import Testing

@testable import DrayStore

@Suite struct PrerequisiteTests {
  /// A store with job 1, 2 that waits for it, and 3 that waits for 2.
  private func chain() throws -> JobStore {
    let store = try TemporaryState().open()
    _ = try store.add(paths: "a")
    for (path, other) in [("b", 1), ("c", 2)] as [(String, JobID)] { try add(store, path, after: [other]) }
    return store
  }

  @discardableResult
  private func add(_ store: JobStore, _ path: String, after: [JobID]) throws -> JobID {
    var job = try specification("http://h/\(path)")
    job.after = after
    return try store.add([job], now: 1)[0].id
  }

  private func claim(_ store: JobStore) throws -> [JobID] {
    try store.claim(runner: runner, limit: 9, scope: .all, now: 2).map(\.id)
  }

  private let runner = UUID()

  private func end(_ store: JobStore, _ id: JobID, _ state: JobState) throws {
    guard state != .complete else {
      _ = try store.finish([.sample(id)], runner: runner, now: 3)
      return
    }
    _ = try store.endAttempt(
      id, runner: runner, state: state, failure: Failure(.status, "http://h/a", "404 Not Found", httpStatus: 404),
      retry: RetryRecord(), now: 3, attempt: nil)
  }

  @Test func eachStartsWhenTheOneBeforeIsComplete() throws {
    let store = try chain()
    #expect(try store.nextDue(scope: .all, now: 2) == 2)
    for id in [1, 2, 3] as [JobID] {
      #expect(try store.prerequisites(of: id).isEmpty)
      #expect(try claim(store) == [id])
      #expect(try claim(store).isEmpty)
      #expect(try store.nextDue(scope: .all, now: 2) == nil)
      #expect(try store.mayGoOn(scope: .all, now: 2) == (id < 3))
      try end(store, id, .complete)
    }
  }

  @Test func severalMustAllBeComplete() throws {
    let store = try TemporaryState().open()
    _ = try store.add(paths: "a", "b")
    try add(store, "c", after: [1, 2])
    #expect(try store.prerequisites(of: 3) == [1, 2])
    #expect(try claim(store) == [1, 2])
    try end(store, 2, .complete)
    #expect(try claim(store).isEmpty)
    #expect(try store.prerequisites(of: 3) == [1])
    try end(store, 1, .complete)
    // Forgetting complete jobs changes nothing.
    _ = try store.forgetFinished()
    #expect(try claim(store) == [3])
  }

  @Test func aFailureFailsAllThatWait() throws {
    let store = try chain()
    _ = try claim(store)
    try end(store, 1, .failed)
    let jobs = try store.jobs(ids: [2, 3])
    #expect(jobs.map(\.state) == [.failed, .failed])
    #expect(jobs.map(\.failure?.kind) == [.status, .status])
    #expect(jobs[0].failure?.reason == "it waits for job 1, which failed: http://h/a: 404 Not Found")
    #expect(jobs[0].failure?.advice == "\(.retry, 1) tries all of them again")
    #expect(jobs[1].failure?.advice == jobs[0].failure?.advice)
    #expect(jobs[1].failure?.reason == "it waits for job 2, which cannot start")
    #expect(jobs.allSatisfy { $0.finishedAt == 3 })
    #expect(try store.failedDependents(of: 1).map(\.id) == [2, 3])
  }

  @Test func aRetryQueuesThemAgain() throws {
    let store = try chain()
    _ = try claim(store)
    try end(store, 1, .failed)
    _ = try store.retry([1])
    #expect(try store.jobs(ids: [1, 2, 3]).map(\.state) == [.queued, .queued, .queued])
    #expect(try store.job(2)?.failure == nil)
    #expect(try claim(store) == [1])
  }

  @Test func aRetryOfAllIsOneOfEach() throws {
    let store = try chain()
    _ = try claim(store)
    try end(store, 1, .failed)
    // Whichever comes first: that another brought it back already is not a refusal.
    let results = try store.retry([1, 2, 3])
    #expect(results.allSatisfy { if case .done = $0.result { true } else { false } }, "\(results)")
    #expect(try claim(store) == [1])
  }

  @Test func aRetryOfWhatWaitsIsRefusedUntilTheOtherIsTriedAgain() throws {
    let store = try chain()
    _ = try claim(store)
    try end(store, 1, .failed)
    guard case .refused(let reason, let advice) = try store.retry([2])[0].result else {
      Issue.record("not refused")
      return
    }
    #expect(reason.contains("job 1") && advice?.description.contains("a retry of job 1") == true)
    #expect(try store.job(2)?.state == .failed)
  }

  @Test(arguments: [false, true]) func whatIsRemovedFailsThem(isActive: Bool) throws {
    let store = try chain()
    if isActive {
      _ = try claim(store)
      #expect(try store.removeHeld(1, runner: runner))
    } else {
      _ = try store.remove([1])
    }
    #expect(try store.job(2)?.state == .failed)
    #expect(try store.job(2)?.failure?.reason == "it waits for job 1, which was removed before it was complete")
    // Nothing is left to wait for: a retry goes without it.
    _ = try store.retry([2])
    #expect(try claim(store) == [2])
    #expect(try store.job(3)?.state == .queued)
  }

  @Test func aTargetThatIsThereAlreadyWillDo() throws {
    let store = try chain()
    _ = try claim(store)
    #expect(try store.removeHeld(1, runner: runner, isMet: true))
    #expect(try claim(store) == [2])
  }

  @Test(arguments: [JobState.interrupted, .paused]) func whatStoppedIsWaitedFor(state: JobState) throws {
    let store = try chain()
    _ = try claim(store)
    try end(store, 1, state)
    #expect(try store.job(2)?.state == .queued)
    #expect(try claim(store).isEmpty)
    #expect(try !store.mayGoOn(scope: .all, now: 2))
    _ = try store.resume([1])
    #expect(try claim(store) == [1])
  }

  @Test func whatCannotBeWaitedForIsRefused() throws {
    let store = try chain()
    let failed = try store.makeJob("f", in: .failed)
    let complete = try store.makeJob("d", in: .complete)
    let active = try store.makeJob("r", in: .active)
    func refusal(_ path: String, _ after: JobID) -> String? {
      thrown { try add(store, path, after: [after]) }.map { "\($0.kind) \($0.reason)" }
    }
    let before = try store.counts()
    #expect(refusal("new", 99) == "usage no job 99 exists")
    #expect(refusal("new", failed) == "usage job \(failed) has failed")
    #expect(refusal("a", 3)?.contains("cannot wait for job 3") == true)
    #expect(refusal("a", 1)?.contains("cannot wait for job 1") == true)
    #expect(refusal("r", 1)?.contains("has already started") == true)
    #expect(try store.counts() == before)
    #expect(refusal("new", complete) == nil)
    #expect(refusal("new", active) == nil)
    #expect(refusal("r", complete) == nil)
  }
}
