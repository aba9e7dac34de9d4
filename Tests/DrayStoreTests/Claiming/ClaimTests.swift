// Claims: in order, each job to one runner, none before its time, even if the clock is set.

import DrayCore
import Foundation
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct ClaimTests {
  @Test func byPriorityThenAge() async throws {
    let store = try TemporaryState().open()
    _ = try await store.add(
      [
        try specification("http://h/1"), try specification("http://h/2", priority: 5),
        try specification("http://h/3", priority: -1), try specification("http://h/4", priority: 5),
        try specification("http://h/5"),
      ], now: 1)
    let runner = UUID()
    let jobs = try await store.claim(runner: runner, limit: 3, scope: .all, now: 2)
    #expect(jobs.map(\.id) == [2, 4, 1])
    #expect(jobs.allSatisfy { $0.state == .active && $0.runner == runner && $0.attempts == 1 })
    #expect(try await store.job(2) == jobs[0])
    #expect(try await store.claim(runner: runner, limit: 9, scope: .all, now: 2).map(\.id) == [5, 3])
    #expect(try await store.claim(runner: runner, limit: 9, scope: .all, now: 2).isEmpty)
  }

  @Test func twoStoresNeverHandOutOneJobTwice() async throws {
    let state = TemporaryState()
    let count = 400
    _ = try await state.open().add((0..<count).map { try specification("http://h/\($0)") }, now: 1)
    let taken = Lines()
    await concurrently(2) { _ in
      do {
        let store = try state.open()
        let runner = UUID()
        while true {
          let jobs = try await store.claim(runner: runner, limit: 3, scope: .all, now: 2)
          if jobs.isEmpty { break }
          for job in jobs { taken.append("\(job.id)") }
        }
      } catch {
        taken.append("\(error)")
      }
    }
    #expect(taken.all.count == count)
    #expect(Set(taken.all) == Set((1...count).map(String.init)))
  }

  @Test(arguments: [5, 300])
  func onlyTheScope(size: Int) async throws {
    let store = try TemporaryState().open()
    let ids = try await store.add((0..<600).map { try specification("http://h/\($0)") }, now: 1).map(\.id)
    let mine = Array(ids.suffix(size))
    let scope = ClaimScope.only(try await store.registerScope(mine))
    let other = ClaimScope.only(try await store.registerScope(Array(ids.prefix(2))))
    let runner = UUID()
    #expect(
      try await store.pending(scope: scope, runner: runner) == .init(queued: size, activeElsewhere: 0, mine: 0))
    #expect(try await store.nextDue(scope: scope, now: 2) == 2)
    #expect(try await store.claim(runner: runner, limit: 1000, scope: scope, now: 2).map(\.id) == mine)
    #expect(
      try await store.pending(scope: scope, runner: runner) == .init(queued: 0, activeElsewhere: 0, mine: size))
    #expect(
      try await store.pending(scope: scope, runner: UUID()) == .init(queued: 0, activeElsewhere: size, mine: 0))
    #expect(try await store.pending(scope: other, runner: runner) == .init(queued: 2, activeElsewhere: 0, mine: 0))
    #expect(try await store.nextDue(scope: scope, now: 2) == nil)
  }

  @Test func countsFollowEveryChange() async throws {
    let state = TemporaryState()
    let store = try state.open()
    let ids = try await store.add(paths: "a", "b", "c")
    let scope = ClaimScope.only(try await store.registerScope(Array(ids.prefix(2))))
    let runner = UUID()
    func queued() async throws -> [Int] {
      try await [.all, scope].asyncMap { try await store.pending(scope: $0, runner: runner).queued }
    }
    #expect(try await queued() == [3, 2])
    _ = try await store.claim(runner: runner, limit: 1, scope: scope, now: 2)
    #expect(try await queued() == [2, 1])
    _ = try await store.requeue(
      ids[0], runner: runner, notBefore: nil, now: 3, retry: RetryRecord(), failure: nil, attempt: nil)
    #expect(try await queued() == [3, 2])
    _ = try await store.add(paths: "d")
    #expect(try await queued() == [4, 2])
    _ = try await store.pause([ids[2]])
    #expect(try await queued() == [3, 2])
    _ = try await store.remove([ids[0]])
    #expect(try await queued() == [2, 1])
    // Changes by another connection are seen, too.
    _ = try await state.open().remove([ids[1]])
    #expect(try await queued() == [1, 0])
  }

  @Test("a change by any process is noticed, and nothing else counts as a change")
  func changes() async throws {
    let state = TemporaryState()
    let store = try state.open()
    let other = try state.open()
    var mark = try await store.changeMark()
    func hasChanged() async throws -> Bool {
      let before = mark
      mark = try await store.changeMark()
      return mark != before
    }
    let ids = try await store.add(paths: "a", "b")
    #expect(try await hasChanged())
    #expect(try await !hasChanged())
    _ = try await other.pause([ids[0]])
    #expect(try await hasChanged())
    _ = try await store.resume([ids[0]])
    #expect(try await hasChanged())
    _ = try await store.jobs(ids: ids)
    _ = try await store.claim(runner: UUID(), limit: 0, scope: .all, now: 2)
    #expect(try await !hasChanged())
  }

  /// Waits begun at 100 that end at 200.
  @Test(
    arguments: [
      (100, false, 200), (199, false, 200), (200, true, 200), (1e9, true, 1e9),
      // The clock was put back before the wait began: the wait is void.
      (99, true, 99), (-1e9, true, -1e9),
    ] as [(Double, Bool, Double)])
  func waits(now: Double, isDue: Bool, due: Double) async throws {
    for kind in ["job", "origin"] {
      let store = try TemporaryState().open()
      let runner = UUID()
      _ = try await store.add(paths: "a")
      if kind == "job" {
        _ = try await store.claim(runner: runner, limit: 1, scope: .all, now: 2)
        #expect(
          try await store.requeue(
            1, runner: runner, notBefore: 200, now: 100, retry: RetryRecord(used: 1, furthest: 7),
            failure: Failure(.status, "http://h/a", "503"),
            attempt: AttemptRecord(startedAt: 2, endedAt: 100, outcome: "retry", message: "503")))
        #expect(try await store.job(1)?.notBefore == 200)
        #expect(try await store.job(1)?.retry == RetryRecord(used: 1, furthest: 7))
      } else {
        try await store.hold(OriginHold(try url("http://h/").origin, until: 200, since: 100))
      }
      #expect(try await store.nextDue(scope: .all, now: now) == due, "\(kind)")
      #expect(
        try await store.claim(runner: runner, limit: 1, scope: .all, now: now).count == (isDue ? 1 : 0), "\(kind)")
    }
  }

  @Test func holdIsForOneOriginAndOnlyGrows() async throws {
    let store = try TemporaryState().open()
    _ = try await store.add(
      [try specification("http://h/a"), try specification("http://h:81/b"), try specification("http://h/c")],
      now: 1)
    let origin = try url("http://h/").origin
    try await store.hold(OriginHold(origin, until: 500, since: 100))
    try await store.hold(OriginHold(origin, until: 200, since: 101))
    #expect(try await store.claim(runner: UUID(), limit: 9, scope: .all, now: 300).map(\.id) == [2])
    #expect(try await store.nextDue(scope: .all, now: 300) == 500)
    // After the clock was put back a new hold replaces one from the future.
    try await store.hold(OriginHold(origin, until: 60, since: 50))
    #expect(try await store.nextDue(scope: .all, now: 50) == 60)
  }

  @Test func requeueInterrupted() async throws {
    let store = try TemporaryState().open()
    let plain = try await store.makeJob("a", in: .interrupted)
    let paused = try await store.makeJob("b", in: .paused)
    var waiting: [JobID] = []
    for (path, until) in [("c", 1000.0), ("d", 100_000.0)] {
      let runner = UUID()
      let id = try await store.makeJob(path, in: .active, runner: runner)
      _ = try await store.endAttempt(
        id, runner: runner,
        JobStop(.interrupted, retry: RetryRecord(used: 5, furthest: 9), notBefore: until), now: 10)
      waiting.append(id)
    }
    #expect(try await store.requeueInterrupted(scope: .all, now: 20) == [plain, waiting[0]])
    #expect(try await store.job(plain)?.retry == RetryRecord(used: 0, furthest: 10))
    #expect(try await store.job(paused)?.state == .paused)
    #expect(try await store.job(waiting[1])?.state == .interrupted)
    // The job with the longer wait stays interrupted until its wait is over.
    #expect(try await store.claim(runner: UUID(), limit: 9, scope: .all, now: 20).map(\.id) == [plain])
    #expect(try await store.requeueInterrupted(scope: .all, now: 99_000) == [waiting[1]])
  }
}
