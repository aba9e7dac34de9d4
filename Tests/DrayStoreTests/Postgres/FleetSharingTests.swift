// A database that gives a program one connection only, and one that two stores share.

import DrayCore
import DrayStore
import Foundation
import PostgresServer
import StoreTesting
import Synchronization
import TestSupport
import Testing

@testable import DrayStore

@Suite("PostgreSQL: sharing a server", .needs(.postgres), .serialized)
struct FleetSharingTests {
  @Test("one connection is enough: changes are found over it, by readers as well")
  func oneConnection() async throws {
    let database = try FleetDatabase()
    let other = try database.open()
    let user = "single_\(database.name)"
    try database.sql(
      """
      CREATE ROLE \(user) LOGIN CONNECTION LIMIT 1; GRANT USAGE ON SCHEMA dray TO \(user);
      GRANT ALL ON ALL TABLES IN SCHEMA dray TO \(user); GRANT ALL ON ALL SEQUENCES IN SCHEMA dray TO \(user)
      """)
    let address = database.server.uri(database.name, user: user)
    let store = try PostgresStore.open(address, path: address, busyTimeout: 5, looksApart: true, executor: nil)
    let (stream, reports) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let observation = store.observeChanges { reports.yield() }
    let ids = try await store.add("a")
    let first = try await store.changeMark()
    _ = try await other.add("b")
    #expect(try await store.changeMark() != first)
    #expect(try await store.summaries(after: 0, states: nil, limit: 9).count == 2)
    #expect(try await store.claim(UUID(), limit: 1).map(\.id) == ids)
    // The observer also hears of later changes by the other store.
    let looking = Task { () async throws -> Int in
      var found = 0
      for await _ in stream where found < 3 {
        found = try await store.newestID() == 3 ? 3 : found
        if found == 3 { break }
      }
      return found
    }
    _ = try await other.add("c")
    #expect(try await looking.value == 3)
    #expect(try database.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = '\(user)'") == "1")
    _ = observation
  }

  @Test(
    "a pooler of sessions works; one of transactions is named", .enabled(if: Pooler.isInstalled),
    arguments: Pooler.Mode.allCases)
  func poolers(mode: Pooler.Mode) async throws {
    let database = try FleetDatabase()
    let own = try database.open()
    let pooler = try Pooler(mode, of: database.server)
    let address = database.server.uri(database.name, port: pooler.port)
    func work() async throws {
      let stores = try (0..<3).map { _ in
        try PostgresStore.open(address, path: address, busyTimeout: 5, looksApart: true, executor: nil)
      }
      // Each store prepares its own statements, on sessions that other stores have used.
      for _ in 0..<3 {
        for store in stores {
          let ids = try await store.add(UUID().uuidString)
          let mark = try await store.changeMark()
          _ = try await own.add(UUID().uuidString)
          #expect(try await store.changeMark() != mark)
          #expect(try await store.held(UUID().uuidString, by: UUID()) > ids[0])
          #expect(try await store.claim(UUID(), limit: 2).count == 2)
        }
      }
    }
    do {
      try await work()
      #expect(mode == .session)
    } catch let failure as Failure {
      #expect(mode == .transaction && failure == own.failures.pooled || failure.reason == own.failures.pooled.reason)
    }
    withExtendedLifetime(pooler) {}
  }

  @Test("ended attempts that a dump brings back are no news, whatever their transactions' numbers")
  func restored() async throws {
    let database = try FleetDatabase()
    let store = try database.open()
    for name in ["a", "b", "c"] { _ = try await store.makeJob(name, in: .complete) }
    let start = try await store.endedAttempts(after: .max)
    // As after pg_restore: the rows are written again, with transaction numbers from a busier server.
    try database.sql(
      """
      CREATE TABLE dump AS SELECT * FROM attempts; TRUNCATE attempts;
      INSERT INTO attempts SELECT * FROM dump;
      UPDATE dump SET id = id + 1000, xid = (xid::text::int8 + 1000000)::text::xid8;
      INSERT INTO attempts SELECT * FROM dump;
      UPDATE dump SET id = id + 2000, xid = (xid::text::int8 - 999999)::text::xid8;
      INSERT INTO attempts SELECT * FROM dump; DROP TABLE dump
      """)
    #expect(try await store.endedAttempts(after: start.last).jobs.isEmpty)
    let new = try await store.makeJob("d", in: .complete)
    let ended = try await store.endedAttempts(after: start.last)
    #expect(ended.jobs == [new: 1])
    #expect(try await store.endedAttempts(after: ended.last).jobs.isEmpty)
  }

  @Test("runners claim jobs between the steps of a command for all; one that ended early is finished by the next")
  func allAmongClaims() async throws {
    let database = try FleetDatabase()
    let (executor, runners) = (try database.open(), try database.open())
    _ = try await executor.add(
      (0..<3000).map { try specification("http://h/\($0)") }, marks: [], now: 1, seen: nil)
    let runner = UUID()
    func pause(steps: Int, claiming: Bool) async throws -> (paused: Int, claimed: Int) {
      var (paused, claimed, last): (Int, Int, JobID) = (0, 0, 0)
      for _ in 0..<steps {
        // Both at once: a claim takes the first jobs while a step locks the next ones.
        async let jobs = claiming ? runners.claim(runner, limit: 3) : []
        let page = try await executor.control(.pause, allIn: [.queued], after: last, limit: 100)
        (paused, claimed) = (paused + page.done, claimed + (try await jobs).count)
        guard let end = page.last else { break }
        last = end
      }
      return (paused, claimed)
    }
    let cut = try await pause(steps: 5, claiming: true)
    #expect(cut.claimed > 0 && cut.paused > 400)
    let rest = try await pause(steps: 40, claiming: false)
    #expect(cut.paused + rest.paused + cut.claimed == 3000)
    #expect(try await executor.counts(ids: nil) == [.paused: 3000 - cut.claimed, .active: cut.claimed])
  }

  @Test("stores of one database lock nothing of each other")
  func locks() async throws {
    let database = try FleetDatabase()
    let one = try database.open()
    let address = database.address + "?options=-csearch_path%3Dfleet2"
    let two = try PostgresStore.open(address, path: "two", busyTimeout: 5, looksApart: false, executor: nil)
    func key(_ store: PostgresStore) async throws -> String? {
      try await store.write(.lazy) { db in
        try db.lock(.adding)
        return try db.value(
          "SELECT classid || ' ' || objid FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
      }
    }
    let keys = [try await key(one), try await key(two), try await key(try database.open())]
    #expect(keys[0] != keys[1] && keys[0] == keys[2])
  }
}
