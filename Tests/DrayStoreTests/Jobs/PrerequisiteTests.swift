// Jobs that wait for jobs: none starts before, none waits forever.

import DrayCore
import Foundation
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct PrerequisiteTests {
  /// A store with job 1, 2 that waits for it, and 3 that waits for 2.
  private func chain() async throws -> SQLiteStore {
    let store = try TemporaryState().open()
    _ = try await store.add(paths: "a")
    for (path, other) in [("b", 1), ("c", 2)] as [(String, JobID)] { try await add(store, path, after: [other]) }
    return store
  }

  @discardableResult
  private func add(_ store: SQLiteStore, _ path: String, after: [JobID]) async throws -> JobID {
    var job = try specification("http://h/\(path)")
    job.after = after
    return try await store.add([job], now: 1)[0].id
  }

  private func claim(_ store: SQLiteStore) async throws -> [JobID] {
    try await store.claim(runner: runner, limit: 9, scope: .all, now: 2).map(\.id)
  }

  private let runner = UUID()

  private func end(_ store: SQLiteStore, _ id: JobID, _ state: JobState) async throws {
    guard state != .complete else {
      _ = try await store.finish([.sample(id)], runner: runner, now: 3)
      return
    }
    _ = try await store.endAttempt(
      id, runner: runner, JobStop(state, Failure(.status, "http://h/a", "404 Not Found", httpStatus: 404)), now: 3)
  }

  @Test func eachStartsWhenTheOneBeforeIsComplete() async throws {
    let store = try await chain()
    #expect(try await store.nextDue(scope: .all, now: 2) == 2)
    for id in [1, 2, 3] as [JobID] {
      #expect(try await store.prerequisites(of: id).isEmpty)
      #expect(try await claim(store) == [id])
      #expect(try await claim(store).isEmpty)
      #expect(try await store.nextDue(scope: .all, now: 2) == nil)
      #expect(try await store.mayGoOn(scope: .all, now: 2) == (id < 3))
      try await end(store, id, .complete)
    }
  }

  @Test func severalMustAllBeComplete() async throws {
    let store = try TemporaryState().open()
    _ = try await store.add(paths: "a", "b")
    try await add(store, "c", after: [1, 2])
    #expect(try await store.prerequisites(of: 3) == [1, 2])
    #expect(try await claim(store) == [1, 2])
    try await end(store, 2, .complete)
    #expect(try await claim(store).isEmpty)
    #expect(try await store.prerequisites(of: 3) == [1])
    try await end(store, 1, .complete)
    // Forgetting complete jobs changes nothing.
    _ = try await store.forgetFinished()
    #expect(try await claim(store) == [3])
  }

  @Test func aFailureFailsAllThatWait() async throws {
    let store = try await chain()
    _ = try await claim(store)
    try await end(store, 1, .failed)
    let jobs = try await store.jobs(ids: [2, 3])
    #expect(jobs.map(\.state) == [.failed, .failed])
    #expect(jobs.map(\.failure?.kind) == [.status, .status])
    #expect(jobs[0].failure?.reason == "it waits for job 1, which failed: http://h/a: 404 Not Found")
    #expect(jobs[0].failure?.advice == "\(.retry, 1) tries all of them again")
    #expect(jobs[1].failure?.advice == jobs[0].failure?.advice)
    #expect(jobs[1].failure?.reason == "it waits for job 2, which cannot start")
    #expect(jobs.allSatisfy { $0.finishedAt == 3 })
    #expect(try await store.failedDependents(of: 1).map(\.id) == [2, 3])
  }

  @Test func aRetryQueuesThemAgain() async throws {
    let store = try await chain()
    _ = try await claim(store)
    try await end(store, 1, .failed)
    _ = try await store.retry([1])
    #expect(try await store.jobs(ids: [1, 2, 3]).map(\.state) == [.queued, .queued, .queued])
    #expect(try await store.job(2)?.failure == nil)
    #expect(try await claim(store) == [1])
  }

  @Test func aRetryOfAllIsOneOfEach() async throws {
    let store = try await chain()
    _ = try await claim(store)
    try await end(store, 1, .failed)
    // A job that another job's retry already brought back is not refused.
    let results = try await store.retry([1, 2, 3])
    #expect(results.allSatisfy { if case .done = $0.result { true } else { false } }, "\(results)")
    #expect(try await claim(store) == [1])
  }

  @Test func aRetryOfWhatWaitsIsRefusedUntilTheOtherIsTriedAgain() async throws {
    let store = try await chain()
    _ = try await claim(store)
    try await end(store, 1, .failed)
    guard case .refused(let reason, let advice) = try await store.retry([2])[0].result else {
      Issue.record("not refused")
      return
    }
    #expect(reason.contains("job 1") && advice?.description.contains("a retry of job 1") == true)
    #expect(try await store.job(2)?.state == .failed)
  }

  @Test(arguments: [false, true]) func whatIsRemovedFailsThem(isActive: Bool) async throws {
    let store = try await chain()
    if isActive {
      _ = try await claim(store)
      #expect(try await store.removeOwned(1, runner: runner))
    } else {
      _ = try await store.remove([1])
    }
    #expect(try await store.job(2)?.state == .failed)
    #expect(try await store.job(2)?.failure?.reason == "it waits for job 1, which was removed before it was complete")
    // The removed job is no longer waited for: a retry runs without it.
    _ = try await store.retry([2])
    #expect(try await claim(store) == [2])
    #expect(try await store.job(3)?.state == .queued)
  }

  @Test func aTargetThatIsThereAlreadyWillDo() async throws {
    let store = try await chain()
    _ = try await claim(store)
    #expect(try await store.removeOwned(1, runner: runner, isMet: true))
    #expect(try await claim(store) == [2])
  }

  @Test(arguments: [JobState.interrupted, .paused]) func whatStoppedIsWaitedFor(state: JobState) async throws {
    let store = try await chain()
    _ = try await claim(store)
    try await end(store, 1, state)
    #expect(try await store.job(2)?.state == .queued)
    #expect(try await claim(store).isEmpty)
    #expect(try await !store.mayGoOn(scope: .all, now: 2))
    _ = try await store.resume([1])
    #expect(try await claim(store) == [1])
  }

  @Test func whatCannotBeWaitedForIsRefused() async throws {
    let store = try await chain()
    let failed = try await store.makeJob("f", in: .failed)
    let complete = try await store.makeJob("d", in: .complete)
    let active = try await store.makeJob("r", in: .active)
    func refusal(_ path: String, _ after: JobID) async -> String? {
      await thrown { try await add(store, path, after: [after]) }.map { "\($0.kind) \($0)" }
    }
    let before = try await store.counts()
    #expect(await refusal("new", 99) == "usage job 99: no such job to wait for")
    #expect(await refusal("new", failed) == "usage job \(failed): it has failed")
    #expect(await refusal("a", 3)?.contains("cannot wait for job 3") == true)
    #expect(await refusal("a", 1)?.contains("cannot wait for job 1") == true)
    #expect(await refusal("r", 1)?.contains("has already started") == true)
    #expect(try await store.counts() == before)
    #expect(await refusal("new", complete) == nil)
    #expect(await refusal("new", active) == nil)
    #expect(await refusal("r", complete) == nil)
  }
}
