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
    \(beforeGenerations) UPDATE dray_store SET version = 1;
    """

  /// Removes what version 4 of a store added.
  private static let beforeGenerations = """
    DROP VIEW all_jobs; ALTER TABLE hot DROP part; ALTER TABLE runners DROP process;
    ALTER TABLE dray_store DROP database, DROP timeline, DROP foreign_fences;
    """

  private static let indexes = """
    SELECT version || ' ' || (SELECT string_agg(indexname, ' ' ORDER BY indexname) FROM pg_indexes
      WHERE schemaname = 'dray' AND indexname IN ('hot_runner', 'hot_held')) FROM dray_store
    """

  @Test("opening upgrades a store of version 1, with its held jobs; a glance leaves it alone")
  func upgrade() async throws {
    let database = try FleetDatabase()
    let first = try database.open()
    let ids = try await first.add("a", "b")
    let (before, after) = (UUID(), UUID())
    #expect(try await first.claim(before, limit: 1).map(\.id) == [ids[0]])
    try first.close()
    try database.sql(FleetOpeningTests.former)
    #expect(PostgresStore.glance(database.address, path: database.address) == nil)
    #expect(try database.sql("SELECT version FROM dray_store") == "1")
    let stores = try await withThrowingTaskGroup(of: PostgresStore?.self) { group in
      for makes in [true, true, false, false] {
        group.addTask { makes ? try database.open() : try database.openIfPresent() }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let store = try #require(stores[0])
    #expect(try database.sql(FleetOpeningTests.indexes) == "\(FleetSchema.version) hot_held")
    #expect(Set(stores.map { $0?.label }) == [store.label])
    #expect(PostgresStore.glance(database.address, path: database.address) != nil)
    #expect(try await store.activeRunners() == [before])
    #expect(try await store.claim(after, limit: 9).map(\.id) == [ids[1]])
  }

  @Test("a store of version 1 whose tables are in use for long is refused until they are free")
  func upgradeInVain() async throws {
    let database = try FleetDatabase()
    try database.open().close()
    try database.sql(FleetOpeningTests.former)
    let holder = try PostgresConnection(PostgresConfiguration(database.address, applicationName: "holder"))
    try holder.script("BEGIN; SELECT 1 FROM dray.hot")
    #expect(failure(database)?.reason.contains("they are in use") == true)
    #expect(try database.sql(FleetOpeningTests.indexes) == "1 hot_runner")
    try holder.script("ROLLBACK")
    try database.open().close()
    #expect(try database.sql(FleetOpeningTests.indexes) == "\(FleetSchema.version) hot_held")
  }

  @Test("a user who may not change the tables cannot use a store of version 1, and uses one of this version")
  func upgradeByAGuest() async throws {
    let database = try FleetDatabase()
    try database.open().close()
    let guest = "guest_of_\(database.name)"
    try database.sql(
      """
      CREATE ROLE \(guest) LOGIN; GRANT USAGE ON SCHEMA dray TO \(guest);
      GRANT ALL ON ALL TABLES IN SCHEMA dray TO \(guest); GRANT ALL ON ALL SEQUENCES IN SCHEMA dray TO \(guest)
      """)
    let address = database.server.uri(database.name, user: guest)
    let store = try PostgresStore.open(address, path: address, busyTimeout: 5, looksApart: false, executor: nil)
    let ids = try await store.add("a")
    #expect(try await store.claim(UUID(), limit: 1).map(\.id) == ids)
    try store.close()
    try database.sql(FleetOpeningTests.former)
    let refusal = #expect(throws: Failure.self) {
      try PostgresStore.open(address, path: address, busyTimeout: 5, looksApart: false, executor: nil)
    }
    #expect(refusal?.reason.contains("cannot be changed") == true)
  }

  @Test("P17 a copy of a database is another store, and its jobs may have owners in the original")
  func copies() async throws {
    let database = try FleetDatabase()
    let first = try database.open()
    let ids = try await first.add("a", "b")
    let copy = try FleetDatabase(database.server, copying: database)
    #expect(PostgresStore.glance(copy.address, path: "copy")?.label == first.label)
    let other = try copy.open()
    #expect(other.label != first.label)
    #expect(try copy.open().label == other.label && database.open().label == first.label)
    #expect(try await first.claim(UUID(), limit: 9).map(\.part.isLost) == [false, false])
    let runner = UUID()
    let claimed = try await other.claim(runner, limit: 1)
    #expect(claimed.map(\.part.isLost) == [true])
    // A job that was given back before its part file was replaced still counts as lost.
    _ = try await other.giveBack([ids[0]], runner: runner)
    #expect(try await other.claim(UUID(), limit: 9).map(\.part.isLost) == [true, true])
  }

  @Test("P20 after a failover it is the same store, and jobs may have owners at the former primary")
  func failover() async throws {
    let database = try FleetDatabase()
    let first = try database.open()
    _ = try await first.add("a")
    try database.sql("UPDATE dray_store SET timeline = '00000000'")
    let second = try database.open()
    #expect(second.label == first.label)
    #expect(try await second.claim(UUID(), limit: 1).map(\.part.isLost) == [true])
    _ = try await first.add("b")
    let (id, runner) = (try await first.add("c")[0], UUID())
    #expect(try await second.claim(runner, limit: 9).map(\.part.isLost) == [true, true])
    #expect(try await second.recordPart(id, runner: runner, PartGeneration(5)))
    _ = try await second.giveBack([id], runner: runner)
    // The last fence of this job was given here, so its part file is not in doubt.
    #expect(try await second.claim(UUID(), limit: 1).map(\.part) == [PartGeneration(5)])
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
      try database.sql(
        "ALTER FUNCTION jobs_removed() RESET search_path; \(FleetOpeningTests.beforeGenerations) UPDATE dray_store SET version = 2"
      )
      try database.open().close()
    }
    try database.server.psql("SET search_path = ''; DELETE FROM dray.jobs", in: database.name)
    #expect(try await store.counts(ids: nil).isEmpty)
    #expect(try database.sql("SELECT count(*) FROM hot") == "0")
  }

  @Test("attempts name their runners, and those that failed are counted, also in a store that was upgraded")
  func namesOfRunners() async throws {
    let database = try FleetDatabase()
    try database.open().close()
    try database.sql(
      "DROP INDEX attempts_failed; ALTER TABLE attempts DROP COLUMN runner; UPDATE dray_store SET version = 3")
    let found = try #require(
      try PostgresStore.openIfPresent(
        database.address, path: database.address, busyTimeout: 5, looksApart: false, executor: nil))
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
    try await fail(ids[0], "early", ago: 4000)
    #expect(try database.sql("SELECT version FROM dray_store") == "\(FleetSchema.version)")
    try await fail(ids[1], "node19")
    try await fail(ids[2], "node18", ago: 4000)
    #expect(try await found.attempts(of: ids[1]).map(\.runner) == ["node19"])
    #expect(try await found.failedAttempts() == ["node19": 1])
    #expect(try await found.summaries(ids: ids).map(\.failure?.runner) == ["early", "node19", "node18"])
    var all = try await found.runners()
    #expect(all.map(\.name) == ["node19"] && all[0].hasEnded && all[0].failed == 1)
    // A live runner shows the failures recorded under its name. A runner with a new name has none.
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
    let two = try PostgresStore.open(address, path: "two", busyTimeout: 5, looksApart: false, executor: nil)
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
