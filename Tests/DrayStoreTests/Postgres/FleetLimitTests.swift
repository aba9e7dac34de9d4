// Limits of a fleet: which locks keep them, who waits for whom, and many claims at once.

import DrayCore
import DrayStore
import Foundation
import Postgres
import PostgresServer
import StoreTesting
import TestSupport
import Testing

@testable import DrayStore

@Suite("PostgreSQL: limits of a fleet", .serialized)
struct FleetLimitTests {
  // MARK: Which locks

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var jobs = JobsPerOrigin.unlimited
    var limited: Set<String> = []
    let counted: Set<FleetSchema.Counted>

    init(
      _ name: String, _ counted: Set<FleetSchema.Counted>, jobs: JobsPerOrigin = .unlimited, limited: Set<String> = []
    ) {
      (testDescription, self.jobs, self.limited, self.counted) = (name, jobs, limited, counted)
    }
  }

  private static let cases = [
    Case("no limit", []),
    Case("origins", [.origin("http://a"), .origin("http://b")], jobs: JobsPerOrigin(limit: 3)),
    Case("one queue of two", [.queue("films")], limited: ["films", "other"]),
    Case("a queue without jobs here", [], limited: ["other"]),
    Case(
      "origins and a queue", [.origin("http://a"), .origin("http://b"), .queue("films")],
      jobs: JobsPerOrigin(limit: 3), limited: ["films"]),
  ]

  @Test("a claim locks the counts that limit its jobs, and no others", arguments: cases)
  func locks(one: Case) throws {
    let queues = one.limited.sorted().map { name in
      var queue = NamedQueue(name)
      queue.settings.jobs = 1
      return queue
    }
    let wanted: [(JobID, String, String?)] = [(1, "http://a", "films"), (2, "http://b", "books"), (3, "http://a", nil)]
    let admission = FleetAdmission(
      runner: UUID(), limit: 2, jobs: one.jobs, queues: QueueGates(queues, at: 2, zone: .utc), isNotHeld: "true",
      ownedJobs: FenceFloor().ownedJobs, lesson: .none,
      wanted: wanted.map {
        FleetSearch.Candidate(id: $0.0, priority: 0, place: 0, origin: $0.1, queue: $0.2, hasFailed: false)
      }, isWhole: false)
    #expect(admission.counted == one.counted)
    // Statements for the lock on fences, for the locks on counts (if any), and for the jobs.
    #expect(admission.statements.count == (one.counted.isEmpty ? 2 : 3))
  }

  // MARK: Who waits

  /// A session that has locks until it is closed.
  private func session(_ database: FleetDatabase, taking locks: [SQL]) throws -> PostgresConnection {
    let session = try PostgresConnection(PostgresConfiguration(database.address))
    try session.script("BEGIN; SET LOCAL search_path = dray")
    for lock in locks { _ = try session.rows(lock.statement.sql, lock.statement.arguments) }
    return session
  }

  private func waits(_ database: FleetDatabase) throws -> Bool {
    try database.sql(
      """
      SELECT count(*) > 0 FROM pg_locks
      WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """) == "t"
  }

  enum Taker: CaseIterable { case origin, queue, program }

  @Test(
    "a claim waits for a claim of its own origin or queue, and for an older program; others go on",
    .needs(.postgres), arguments: Taker.allCases, [true, false])
  func others(taker: Taker, isQuick: Bool) async throws {
    let database = try FleetDatabase()
    let (one, other) = (try database.open(), try database.open())
    let gates = QueueGates([try await one.changeQueue("films") { $0.jobs = 5 }], at: 2, zone: .utc)
    var job = try specification("http://a/1")
    job.queue = "films"
    let ids = try await one.add([job], marks: [], now: 1, seen: nil).map(\.id)
    let claiming = FleetSchema.Lock.claiming
    let locks: [SQL] =
      switch taker {
      case .origin: [claiming.statement(isShared: true), FleetSchema.counting([.origin("http://a")])]
      case .queue: [claiming.statement(isShared: true), FleetSchema.counting([.queue("films")])]
      case .program: [claiming.statement()]
      }
    func claim(_ store: PostgresStore, _ id: JobID) async throws -> [JobID] {
      let scope = ClaimScope.only(try await store.registerScope([id]))
      return try await store.claim(
        runner: UUID(), limit: 1, scope: isQuick ? .all : scope, jobsPerOrigin: JobsPerOrigin(limit: 5), queues: gates,
        now: 2
      ).map(\.id)
    }
    let session = try session(database, taking: locks)
    async let waiting = claim(one, ids[0])
    while try !waits(database) { await Task.yield() }
    if taker != .program {
      let more = try await other.add([specification("http://b/1")], marks: [], now: 1, seen: nil).map(\.id)
      #expect(try await claim(other, more[0]) == more)
    }
    #expect(try await other.counts()[.queued] == 1)
    session.close()
    #expect(try await waiting == ids)
  }

  // MARK: Many at once

  @Test("limits on origins and on a queue hold whoever claims at the same time, and all jobs end", .needs(.postgres))
  func crowd() async throws {
    let database = try FleetDatabase()
    let stores = try (0..<4).map { _ in try database.open() }
    let gates = QueueGates([try await stores[0].changeQueue("few") { $0.jobs = 4 }], at: 2, zone: .utc)
    let all = try (0..<160).map { number in
      var job = try specification("http://h\(number % 8)/\(number)")
      if number % 3 == 0 { job.queue = "few" }
      return job
    }
    _ = try await stores[0].add(all, marks: [], now: 1, seen: nil)
    let ended = try await withThrowingTaskGroup(of: [JobID].self) { group in
      for number in 0..<8 {
        group.addTask {
          let (store, runner) = (stores[number % 4], UUID())
          var (mine, own): ([JobID], [Job]) = ([], [])
          while try await store.counts()[.complete] != 160 {
            var jobs = JobsPerOrigin(limit: 3)
            for job in own { jobs.add(job.specification.request.url.origin.description) }
            own += try await store.claim(
              runner: runner, limit: 5, scope: .all, jobsPerOrigin: jobs, queues: gates, now: 2)
            let most = try await store.access { db in
              try db.first(
                """
                SELECT coalesce(max(jobs), 0), coalesce(max(few), 0)::int8 FROM (
                  SELECT count(*) AS jobs, sum(count(*) FILTER (WHERE queue = 'few')) OVER () AS few
                  FROM hot WHERE state = 'active' GROUP BY origin) AS counts
                """
              ).map { [try $0[0] as Int, try $0[1] as Int] } ?? []
            }
            try #require(most.count == 2)
            #expect(most[0] <= 3 && most[1] <= 4)
            // Some jobs stay for the next round.
            let done = own.prefix(max(1, own.count - 2)).map(\.id)
            mine += try await store.finish(done.map { .sample($0) }, runner: runner, now: 3)
            own.removeAll { done.contains($0.id) }
          }
          return mine
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(ended.count == 160 && Set(ended).count == 160)
  }

  @Test("jobs that others keep out do not keep out those behind them", .needs(.postgres))
  func behind() async throws {
    let database = try FleetDatabase()
    let (one, other) = (try database.open(), try database.open())
    let ids = try await one.add(
      (0..<60).map { try specification("http://\($0 < 50 ? "a" : "b")/\($0)") }, marks: [], now: 1, seen: nil
    ).map(\.id)
    func claim(_ store: PostgresStore, _ runner: UUID) async throws -> [JobID] {
      try await store.claim(
        runner: runner, limit: 4, scope: .all, jobsPerOrigin: JobsPerOrigin(limit: 2), now: 2
      ).map(\.id)
    }
    #expect(try await claim(one, UUID()) == [ids[0], ids[1], ids[50], ids[51]])
    #expect(try await claim(other, UUID()) == [])
    _ = try await other.pause(Array(ids[2..<50]))
    #expect(try await other.nextDue(scope: .all, jobsPerOrigin: JobsPerOrigin(limit: 2), now: 2) == nil)
    #expect(try await other.claim(UUID(), limit: 3).map(\.id) == Array(ids[52..<55]))
  }
}
