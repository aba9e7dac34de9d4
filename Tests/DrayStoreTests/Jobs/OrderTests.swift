// The order of the queue: moved jobs, start times, and each origin's share.

import DrayCore
import Foundation
import SQLite
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct OrderTests {
  /// The order in which all jobs would be claimed.
  private func order(_ store: SQLiteStore) async throws -> [JobID] {
    let runner = UUID()
    let ids = try await store.claim(runner: runner, limit: 1000, scope: .all, now: 2).map(\.id)
    for id in ids {
      _ = try await store.requeue(
        id, runner: runner, notBefore: nil, now: 2, retry: RetryRecord(), failure: nil, attempt: nil)
    }
    return ids
  }

  /// Five jobs; 2 and 4 have priority 5: the queue is 2 4 1 3 5.
  private func five() async throws -> SQLiteStore {
    let store = try TemporaryState().open()
    _ = try await store.add(
      try (1...5).map { try specification("http://h/\($0)", priority: $0 % 2 == 0 ? 5 : 0) }, now: 1)
    return store
  }

  @Test(
    arguments: [
      ([5], .first, [5, 2, 4, 1, 3], 5), ([2], .last, [4, 1, 3, 5, 2], 0), ([5, 3], .first, [5, 3, 2, 4, 1], 5),
      ([5], .before(1), [2, 4, 5, 1, 3], 0), ([5], .after(4), [2, 4, 5, 1, 3], 5),
      ([2], .after(1), [4, 1, 2, 3, 5], 0),
      ([1], .before(4), [2, 1, 4, 3, 5], 5), ([1, 2], .after(5), [4, 3, 5, 1, 2], 0),
      ([2], .first, [2, 4, 1, 3, 5], 5),
      ([1, 2, 3, 4, 5], .first, [2, 4, 1, 3, 5], 0),
    ] as [([JobID], QueuePlace, [JobID], Int)])
  func move(ids: [JobID], place: QueuePlace, order: [JobID], priority: Int) async throws {
    let store = try await five()
    try await store.move(ids, to: place)
    #expect(try await self.order(store) == order)
    if ids.count < 5 { #expect(try await store.job(ids[0])?.specification.priority == priority) }
  }

  @Test func whatIsAddedLaterComesLaterHoweverOftenOthersWereMoved() async throws {
    let store = try TemporaryState().open()
    _ = try await store.add(paths: "a", "b", "c")
    for _ in 0..<100 { for id in [1, 2, 3] as [JobID] { try await store.move([id], to: .last) } }
    #expect(try await order(store) == [1, 2, 3])
    _ = try await store.add(paths: "d")
    #expect(try await order(store) == [1, 2, 3, 4])
    for _ in 0..<200 { for id in [1, 4] as [JobID] { try await store.move([id], to: .before(3)) } }
    #expect(try await order(store) == [2, 1, 4, 3])
  }

  @Test func onlyWhatWaitsHasAPlace() async throws {
    let store = try TemporaryState().open()
    let active = try await store.makeJob("a", in: .active)
    let complete = try await store.makeJob("b", in: .complete)
    let paused = try await store.makeJob("c", in: .paused)
    let queued = try await store.makeJob("d", in: .queued)
    try await store.move([queued], to: .before(paused))
    for bad in [active, complete, 99] {
      let first = await thrown { try await store.move([queued, bad], to: .first) }
      let after = await thrown { try await store.move([queued], to: .after(bad)) }
      #expect(first?.kind == .usage && after?.kind == .usage)
    }
    let itself = await thrown { try await store.move([queued], to: .before(queued)) }
    #expect(itself?.kind == .usage)
  }

  @Test func noneBeforeItsTime() async throws {
    let store = try TemporaryState().open()
    var later = try specification("http://h/later")
    later.startAt = 500
    _ = try await store.add([later, try specification("http://h/now")], now: 100)
    #expect(try await store.job(1)?.specification.startAt == 500)
    #expect(try await store.nextDue(scope: .all, now: 200) == 200)
    #expect(try await store.claim(runner: UUID(), limit: 9, scope: .all, now: 200).map(\.id) == [2])
    #expect(try await store.nextDue(scope: .all, now: 200) == 500)
    #expect(try await store.nextDue(scope: .all, now: 600) == 600)
    // The clock was set back to before the start of the wait: the wait is void (D7).
    #expect(try await store.nextDue(scope: .all, now: 50) == 50)
    let claimed = try await store.claim(runner: UUID(), limit: 9, scope: .all, now: 500)
    #expect(claimed.map(\.id) == [1])
    // The job has started: its start time is gone.
    #expect(claimed.first?.specification.startAt == nil)
  }

  @Test func resumeStartsAtOnceAndTheSameAgainKeepsTheJob() async throws {
    let store = try TemporaryState().open()
    var later = try specification("http://h/later")
    later.startAt = 500
    _ = try await store.add([later], now: 100)
    later.startAt = 900
    #expect(try await store.add([later], now: 100).first?.existing == true)
    #expect(try await store.nextDue(scope: .all, now: 200) == 900)
    _ = try await store.resume([1])
    #expect(try await store.nextDue(scope: .all, now: 200) == 200)
  }

  /// The fastest of several calls: what else the machine does only adds to it.
  private func fastest(_ body: () async throws -> Void) async rethrows -> Duration {
    var best = Duration.seconds(1000)
    for _ in 0..<20 { best = min(best, try await ContinuousClock().measure { try await body() }) }
    return best
  }

  @Test("in a long queue, the next due job is found without a look at each", arguments: [false, true])
  func theNextDueJobIsNear(hasFullOrigin: Bool) async throws {
    let store = try TemporaryState().open()
    let limit = JobsPerOrigin(limit: 1, counts: hasFullOrigin ? ["http://full": 1] : [:])
    func look() async throws {
      #expect(try await store.nextDue(scope: .all, jobsPerOrigin: limit, runner: UUID(), now: 2) == 2)
    }
    let template = try specification("http://h/")
    func add(_ numbers: Range<Int>) async throws {
      let many = try numbers.map { number in
        var one = template
        one.request.url = try url("http://h/\(number)")
        return one
      }
      _ = try await store.add(many, now: 1)
    }
    try await add(0..<100)
    let short = try await fastest(look)
    try await add(100..<60_000)
    let long = try await fastest(look)
    // A look at each job would take 600 times as long.
    #expect(long < short * 150, "\(long) with 60,000 jobs, \(short) with 100")
  }

  @Test func eachOriginHasItsShare() async throws {
    let state = TemporaryState()
    let store = try state.open()
    let hosts = ["http://a", "http://a", "http://a", "http://b", "http://a", "http://b", "http://b"]
    _ = try await store.add(try hosts.enumerated().map { try specification("\($0.element)/\($0.offset)") }, now: 1)
    let (mine, other) = (UUID(), UUID())
    func claim(_ runner: UUID, _ counts: [String: Int], limit: Int = 9) async throws -> [JobID] {
      try await store.claim(
        runner: runner, limit: limit, scope: .all, jobsPerOrigin: JobsPerOrigin(limit: 2, counts: counts), now: 2
      )
      .map(\.id)
    }
    #expect(try await claim(mine, [:], limit: 3) == [1, 2, 4])
    // The other runner's jobs count in addition to this runner's own.
    #expect(try await claim(other, [:]) == [6])
    #expect(try await claim(other, ["http://b": 1]).isEmpty)
    let full = JobsPerOrigin(limit: 2, counts: ["http://a": 2, "http://b": 1])
    #expect(try await store.nextDue(scope: .all, jobsPerOrigin: full, runner: mine, now: 2) == nil)
    #expect(try await store.nextDue(scope: .all, now: 2) == 2)
    // This runner knows that one of its jobs at `a` has ended, although the record says otherwise.
    #expect(try await claim(mine, ["http://a": 1, "http://b": 1]) == [3])
  }

  @Test func aFullOriginDoesNotHideWhatIsFarBehind() async throws {
    let store = try TemporaryState().open()
    let many = try (0..<600).map { try specification("http://a/\($0)") }
    _ = try await store.add(many + [try specification("http://c/x"), try specification("http://b/x")], now: 1)
    try await store.hold(OriginHold(try url("http://b/").origin, until: 100, since: 1))
    let limit = JobsPerOrigin(limit: 1, counts: ["http://a": 1])
    let runner = UUID()
    #expect(
      try await store.claim(runner: runner, limit: 5, scope: .all, jobsPerOrigin: limit, now: 2).map(\.id) == [601])
    #expect(try await store.nextDue(scope: .all, jobsPerOrigin: limit, runner: runner, now: 2) == 100)
    let half = JobsPerOrigin(limit: 2, counts: ["http://a": 1])
    #expect(
      try await store.claim(runner: runner, limit: 5, scope: .all, jobsPerOrigin: half, now: 200).map(\.id) == [1, 602])
  }

  @Test func bothWalksFollowTheirIndex() async throws {
    let store = try TemporaryState().open()
    let search = ClaimSearch(scope: .all, limit: 5, now: 1)
    let walks: [(sql: String, index: String, arguments: StatementArguments)] = [
      (search.walk, "jobs_queue", ["now": 1]),
      (search.walkOfOrigin(isFirst: false), "jobs_origin", ["now": 1, "origin": "http://h", "limit": 5, "shut": "[]"]),
      (search.walkOfOrigin(isFirst: true), "jobs_origin", ["now": 1, "origin": "http://h", "limit": 5, "shut": "[]"]),
    ]
    for (sql, index, arguments) in walks {
      let plan = try await store.access { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
          .map { try $0["detail"] as String }
      }
      #expect(plan.contains { $0.contains(index) }, "\(plan)")
      #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }
  }

  /// Windows that all differ are one argument of a statement (P13).
  @Test func manyWindowsAreNoMatter() async throws {
    let store = try TemporaryState().open()
    let jobs = try (0..<1200).map { index in
      var job = try specification("http://h/\(index)")
      let (hour, minute) = (2 + index / 60, index % 60)
      job.window = try TransferWindow.parse("\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)-23:59")
      return job
    }
    _ = try await store.add(jobs + [try specification("http://h/open")], now: 1)
    let runner = UUID()
    let open = try await store.claim(runner: runner, limit: 5, scope: .all, now: 60).map(\.id)
    #expect(open == [1201])
    let due = try await store.nextDue(scope: .all, now: 60)
    #expect(due == 7200)
    let first = try await store.claim(runner: runner, limit: 5, scope: .all, now: 7200).map(\.id)
    #expect(first == [1])
    // The clock was set back.
    let again = try await store.nextDue(scope: .all, now: 30)
    #expect(again == 7260)
  }
}
