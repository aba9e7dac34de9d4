// Holds: their reasons, the jobs that wait, and the jobs that ask once in spite of them.

import DrayCore
import Foundation
internal import SQLite
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct HoldTests {
  private static func hold(_ until: Double, since: Double, job: JobID) throws -> OriginHold {
    OriginHold(try url("http://h/").origin, until: until, since: since, job: job, askedBy: "http://h/a", status: 429)
  }

  /// A store with three jobs of one origin and one of another; job 1 was refused, and its origin is on hold until 500.
  private static func held() async throws -> SQLiteStore {
    let store = try TemporaryState().open()
    _ = try await store.add(
      try ["http://h/a", "http://h/b", "http://h/c", "http://other/d"].map { try specification($0) }, now: 1)
    try await store.hold(try hold(500, since: 100, job: 1))
    return store
  }

  @Test func saysWhoAskedAndWhoWaits() async throws {
    let store = try await Self.held()
    let hold = try Self.hold(500, since: 100, job: 1)
    #expect(try await store.holds(now: 200) == [hold])
    #expect(try await store.heldJobs(scope: .all, now: 200) == [HeldJobs(hold: hold, count: 3, first: 1)])
    let scope = ClaimScope.only(try await store.registerScope([2, 4]))
    #expect(try await store.heldJobs(scope: scope, now: 200) == [HeldJobs(hold: hold, count: 1, first: 2)])
    #expect(try await store.summaries(ids: [2, 4]).map(\.hold) == [hold, nil])
    // The hold is over, or the clock was set back.
    for now in [500.0, 99] {
      #expect(try await store.holds(now: now).isEmpty)
      #expect(try await store.heldJobs(scope: .all, now: now).isEmpty)
    }
  }

  @Test("a resumed job asks once; a good answer ends the hold", arguments: [1, 300])
  func resumed(filler: Int) async throws {
    let store = try await Self.held()
    // More jobs than the short scan of the queue reads.
    _ = try await store.add(try (0..<filler).map { try specification("http://h/filler/\($0)", priority: 1) }, now: 1)
    _ = try await store.resume([2])
    let runner = UUID()
    #expect(try await store.nextDue(scope: .all, now: 200) == 200)
    let limit = JobsPerOrigin(limit: 9)
    #expect(
      try await store.claim(runner: runner, limit: 9, scope: .all, jobsPerOrigin: limit, now: 200).map(\.id) == [2, 4])
    #expect(try await store.nextDue(scope: .all, now: 200) == 500)
    _ = try await store.recordResponse(2, runner: runner, try response(429), size: nil)
    #expect(try await store.holds(now: 200).count == 1, "that is no good answer")
    _ = try await store.recordResponse(4, runner: runner, try response(200), size: nil)
    #expect(try await store.holds(now: 200).count == 1, "that server did not ask")
    _ = try await store.recordResponse(2, runner: runner, try response(206), size: nil)
    #expect(try await store.holds(now: 200).isEmpty)
    #expect(try await store.nextDue(scope: .all, now: 200) == 200)
    #expect(try await store.summaries(ids: [2]).first?.passedHold?.status == 429)
  }

  @Test("a new refusal renews the hold, shorter or longer, and voids all passes")
  func refusedAgain() async throws {
    for until in [300.0, 900] {
      let store = try await Self.held()
      _ = try await store.resume([2, 3])
      let runner = UUID()
      #expect(try await store.claim(runner: runner, limit: 1, scope: .all, now: 200).map(\.id) == [2])
      let again = try Self.hold(until, since: 210, job: 2)
      try await store.hold(again)
      _ = try await store.requeue(
        2, runner: runner, notBefore: until, now: 210, retry: RetryRecord(used: 1, furthest: 0), failure: nil,
        attempt: nil)
      #expect(try await store.holds(now: 211) == [again])
      #expect(try await store.claim(runner: runner, limit: 9, scope: .all, now: 211).map(\.id) == [4])
      #expect(try await store.nextDue(scope: .all, now: 211) == until)
    }
  }

  @Test("a refusal of a job without a pass does not shorten a hold")
  func onlyGrows() async throws {
    let store = try await Self.held()
    try await store.hold(try Self.hold(300, since: 210, job: 2))
    #expect(try await store.holds(now: 211) == [try Self.hold(500, since: 100, job: 1)])
  }

  @Test("a job asked for at once skips its retry delay, too, and reports the hold that it ignores")
  func askedAtOnce() async throws {
    let store = try await Self.held()
    let runner = UUID()
    _ = try await store.resume([1])
    _ = try await store.claim(runner: runner, limit: 1, scope: .all, now: 101)
    _ = try await store.requeue(
      1, runner: runner, notBefore: 500, now: 110, retry: RetryRecord(used: 1, furthest: 0), failure: nil, attempt: nil)
    try await store.hold(try Self.hold(500, since: 110, job: 1))
    #expect(try await store.askAtOnce([4], now: 200).isEmpty)
    let held = try await store.askAtOnce([1, 2, 4], now: 200)
    #expect(held == [HeldJobs(hold: try Self.hold(500, since: 110, job: 1), count: 2, first: 1)])
    // The job that was tried before comes last.
    #expect(try await store.claim(runner: runner, limit: 9, scope: .all, now: 200).map(\.id) == [2, 4, 1])
  }

  @Test func completeJobEndsTheHold() async throws {
    let store = try await Self.held()
    let runner = UUID()
    _ = try await store.resume([2])
    _ = try await store.claim(runner: runner, limit: 1, scope: .all, now: 200)
    try await store.write(.lazy) { db in
      try db.execute(sql: "UPDATE jobs SET state = 'complete', runner = NULL WHERE id = 2")
    }
    #expect(try await store.holds(now: 200).isEmpty)
  }

  @Test func liftedByHand() async throws {
    let store = try await Self.held()
    try await store.endHolds(of: ["http://other"])
    #expect(try await store.holds(now: 200).count == 1)
    try await store.endHolds(of: ["http://h"])
    #expect(try await store.holds(now: 200).isEmpty)
    #expect(try await store.claim(runner: UUID(), limit: 9, scope: .all, now: 200).map(\.id) == [1, 2, 3, 4])
  }

  private func response(_ status: Int) throws -> ResponseRecord {
    let head = ResponseHead(status: status, fields: [])
    return ResponseRecord(finalURL: try url("http://h/b"), redirects: [], head: head, time: 5)
  }
}
