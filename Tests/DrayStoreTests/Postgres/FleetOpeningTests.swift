// Opening a store in PostgreSQL.

import DrayCore
import DrayStore
import Foundation
import Postgres
import PostgresServer
import StoreTesting
import TestSupport
import Testing
import Threads

@testable import DrayStore

@Suite("PostgreSQL: opening a store", .needs(.postgres), .serialized)
struct FleetOpeningTests {
  private func failure(_ database: FleetDatabase) -> Failure? {
    do {
      _ = try database.open()
      return nil
    } catch {
      return error as? Failure
    }
  }

  @Test("P14 a store of another version is refused and untouched", arguments: [FleetSchema.version + 1, 0])
  func otherVersions(version: Int) throws {
    let database = try FleetDatabase()
    try database.open().close()
    try database.sql("UPDATE dray_store SET version = \(version)")
    let failure = failure(database)
    #expect(failure?.kind == .store && failure?.reason.contains(version == 0 ? "an older" : "a newer") == true)
    #expect(try database.sql("SELECT version FROM dray_store") == "\(version)")
  }

  /// Makes the index of version 1 of a store.
  private static let former = """
    DROP INDEX hot_held; CREATE INDEX hot_runner ON hot (runner, origin) WHERE runner IS NOT NULL;
    UPDATE dray_store SET version = 1;
    """

  private static let indexes = """
    SELECT version || ' ' || (SELECT string_agg(indexname, ' ' ORDER BY indexname) FROM pg_indexes
      WHERE schemaname = 'dray' AND indexname IN ('hot_runner', 'hot_held')) FROM dray_store
    """

  @Test("opening to add upgrades a store of version 1, with its held jobs; other openings use it as it is")
  func upgrade() async throws {
    let database = try FleetDatabase()
    let first = try database.open()
    let ids = try await first.add("a", "b")
    let (before, after) = (UUID(), UUID())
    #expect(try await first.claim(before, limit: 1).map(\.id) == [ids[0]])
    try first.close()
    try database.sql(FleetOpeningTests.former)
    let found = try #require(
      try PostgresStore.openIfPresent(
        database.address, path: database.address, busyTimeout: 5, looksApart: false, queue: nil))
    #expect(
      try await found.claim(runner: after, limit: 9, scope: .all, jobsPerOrigin: JobsPerOrigin(limit: 1), now: 2) == [])
    #expect(try await found.activeRunners() == [before])
    #expect(PostgresStore.glance(database.address, path: database.address) != nil)
    #expect(try database.sql(FleetOpeningTests.indexes) == "1 hot_runner")
    let upgraded = try await withThrowingTaskGroup(of: PostgresStore.self) { group in
      for _ in 0..<4 { group.addTask { try database.open() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(try database.sql(FleetOpeningTests.indexes) == "\(FleetSchema.version) hot_held")
    #expect(try await upgraded[0].activeRunners() == [before])
    // A program that had opened the former version goes on.
    #expect(
      try await found.claim(runner: after, limit: 9, scope: .all, jobsPerOrigin: JobsPerOrigin(limit: 2), now: 2).map(
        \.id) == [ids[1]])
  }

  @Test("a store whose tables are in use for long is used as it is")
  func upgradeInVain() async throws {
    let database = try FleetDatabase()
    try database.open().close()
    try database.sql(FleetOpeningTests.former)
    let holder = try PostgresConnection(PostgresConfiguration(database.address, applicationName: "holder"))
    try holder.script("BEGIN; LOCK TABLE dray.hot IN ACCESS SHARE MODE")
    let store = try database.open()
    #expect(try await store.add("a").count == 1)
    #expect(try database.sql(FleetOpeningTests.indexes) == "1 hot_runner")
    try holder.script("ROLLBACK")
    try database.open().close()
    #expect(try database.sql(FleetOpeningTests.indexes) == "\(FleetSchema.version) hot_held")
  }

  @Test("a user who may not change the tables uses a store of version 1 as it is")
  func upgradeByAGuest() async throws {
    let database = try FleetDatabase()
    try database.open().close()
    try database.sql(FleetOpeningTests.former)
    let guest = "guest_of_\(database.name)"
    try database.sql(
      """
      CREATE ROLE \(guest) LOGIN; GRANT USAGE ON SCHEMA dray TO \(guest);
      GRANT ALL ON ALL TABLES IN SCHEMA dray TO \(guest); GRANT ALL ON ALL SEQUENCES IN SCHEMA dray TO \(guest)
      """)
    let address = database.server.uri(database.name, user: guest)
    let store = try PostgresStore.open(address, path: address, busyTimeout: 5, looksApart: false, queue: nil)
    let ids = try await store.add("a")
    #expect(try await store.claim(UUID(), limit: 1).map(\.id) == ids)
    #expect(try database.sql(FleetOpeningTests.indexes) == "1 hot_runner")
  }

  @Test("transactions see what was committed before each statement, whatever the database's default")
  func isolation() async throws {
    let database = try FleetDatabase()
    try database.sql("ALTER DATABASE \(database.name) SET default_transaction_isolation = 'serializable'")
    let store = try database.open()
    let level = try await store.write(.lazy) { db in
      try db.value("SELECT current_setting('transaction_isolation')", as: String.self)
    }
    #expect(level == "read committed")
  }

  @Test("P14 another program's tables are refused and untouched")
  func foreignTables() throws {
    let database = try FleetDatabase()
    try database.server.psql("CREATE SCHEMA dray; CREATE TABLE dray.jobs (x int)", in: database.name)
    #expect(failure(database)?.reason.contains("not dray's") == true)
    #expect(try database.sql("SELECT count(*) FROM jobs") == "0")
  }

  @Test("many programs that open an empty database make one store")
  func racingOpeners() async throws {
    let database = try FleetDatabase()
    let labels = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 { group.addTask { try database.open().label } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(labels.count == 1 && labels.first?.hasPrefix("postgresql:") == true)
  }

  @Test("only opening to add makes a store")
  func findingNothing() throws {
    let database = try FleetDatabase()
    let configuration = StoreConfiguration(.database(database.address))
    #expect(try JobStores.open(configuration, .find) == nil)
    #expect(try JobStores.open(configuration, .glance) == nil)
    #expect(
      try database.server.psql("SELECT count(*) FROM pg_namespace WHERE nspname = 'dray'", in: database.name) == "0")
    try database.open().close()
    #expect(try JobStores.open(configuration, .find) != nil)
  }

  @Test(
    "the schema is dray, or the first one of the connection",
    arguments: [
      ("\"$user\", public", "public", "dray"), ("fleet2", nil, "fleet2"), ("fleet2, public", "public", "fleet2"),
      ("public", "public", "public"), ("\"Two\"", nil, "Two"),
    ] as [(String, String?, String)])
  func schemas(searchPath: String, current: String?, schema: String) {
    #expect(PostgresStore.schema(searchPath: searchPath, current: current) == schema)
  }

  @Test("a role's limit for locks, and its compiler of statements, do not apply to the store's sessions")
  func settingsOfRole() throws {
    let database = try FleetDatabase()
    try database.server.psql("ALTER DATABASE \(database.name) SET lock_timeout = '50ms'")
    try database.server.psql("ALTER DATABASE \(database.name) SET jit = on")
    let store = try database.open()
    let settings = try store.writer.access(until: SteadyClock.now() + 10) { db in
      try db.value("SELECT current_setting('lock_timeout') || ' ' || current_setting('jit')", as: String.self)
    }
    #expect(settings == "0 off")
  }

  @Test("a program that runs touches no store that a newer one has changed since (P14)")
  func newerWhileRunning() async throws {
    let database = try FleetDatabase()
    let store = try database.open()
    _ = try await store.add("a")
    try database.sql("UPDATE dray_store SET version = version + 1")
    await #expect(throws: store.failures.other(version: FleetSchema.version + 1)) { _ = try await store.add("b") }
    #expect(try database.sql("SELECT count(*) FROM jobs") == "1")
    try database.sql("UPDATE dray_store SET version = version - 1")
    _ = try await store.add("b")
    #expect(try database.sql("SELECT count(*) FROM jobs") == "2")
  }

  @Test("the triggers find their tables from a session with an empty search path", arguments: [false, true])
  func searchPaths(isUpgraded: Bool) async throws {
    let database = try FleetDatabase()
    let store = try database.open()
    _ = try await store.add("a", "b")
    if isUpgraded {
      try database.sql("ALTER FUNCTION jobs_removed() RESET search_path; UPDATE dray_store SET version = 2")
      try database.open().close()
    }
    try database.server.psql("SET search_path = ''; DELETE FROM dray.jobs", in: database.name)
    #expect(try await store.counts(ids: nil).isEmpty)
    #expect(try database.sql("SELECT count(*) FROM hot") == "0")
  }

  @Test("attempts name their runners once the store is of version 4, and those that failed are counted")
  func namesOfRunners() async throws {
    let database = try FleetDatabase()
    try database.open().close()
    try database.sql(
      "DROP INDEX attempts_failed; ALTER TABLE attempts DROP COLUMN runner; UPDATE dray_store SET version = 3")
    let found = try #require(
      try PostgresStore.openIfPresent(
        database.address, path: database.address, busyTimeout: 5, looksApart: false, queue: nil))
    let ids = try await found.add("a", "b", "c")
    let runner = UUID()
    #expect(try await found.claim(runner, limit: 9).count == 3)
    func fail(_ id: JobID, _ name: String, ago seconds: Double = 0) async throws {
      let end = WallClock.now() - seconds
      let attempt = AttemptRecord(startedAt: end, endedAt: end, outcome: "failed", message: "m", runner: name)
      #expect(
        try await found.endAttempt(
          id, runner: runner, JobStop(.failed, Failure(.network, "http://h/a", "cut").of(runner: name)), now: end,
          attempt: attempt))
    }
    try await fail(ids[0], "early")
    #expect(try await found.attempts(of: ids[0]).map(\.runner) == [nil])
    #expect(try await found.failedAttempts() == nil)
    #expect(try await found.runners().isEmpty)
    try database.open().close()
    #expect(try database.sql("SELECT version FROM dray_store") == "\(FleetSchema.version)")
    // The program that had opened the former version goes on.
    try await fail(ids[1], "node19")
    try await fail(ids[2], "node18", ago: 4000)
    #expect(try await found.attempts(of: ids[1]).map(\.runner) == ["node19"])
    #expect(try await found.failedAttempts() == ["node19": 1])
    #expect(try await found.summaries(ids: ids).map(\.failure?.runner) == ["early", "node19", "node18"])
    var all = try await found.runners()
    #expect(all.map(\.name) == ["node19"] && all[0].hasEnded && all[0].failed == 1)
    // One that lives has its own failures, and so has a second one only if its name is another.
    let leases = [try await found.acquireLease(named: "node19"), try await found.acquireLease(named: "node20")]
    all = try await found.runners()
    #expect(all.map(\.failed) == [1, 0] && !all.contains(where: \.hasEnded))
    for lease in leases { await lease.release() }
  }

  @Test("two fleets share a database in two schemas")
  func twoSchemas() async throws {
    let database = try FleetDatabase()
    let one = try database.open()
    let address = database.address + "?options=-csearch_path%3Dfleet2"
    let two = try PostgresStore.open(address, path: "two", busyTimeout: 5, looksApart: false, queue: nil)
    _ = try await one.add("a")
    #expect(try await two.newestID() == 0)
    #expect(one.label != two.label)
  }

  @Test("a call names the database that cannot be reached, and how it may be")
  func unreachable() throws {
    let address = "postgresql://ann:secret@127.0.0.1:1/q"
    do throws(Failure) {
      _ = try JobStores.open(StoreConfiguration(.database(address)), .make)
      Issue.record("it was opened")
    } catch {
      #expect(error.isStoreAway && error.subject.contains("127.0.0.1:1"))
      #expect(!"\(error)".contains("secret"))
    }
  }
}
