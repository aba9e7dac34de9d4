// Opening a store in PostgreSQL, and losing its database.

import DrayCore
import DrayStore
import Foundation
import Postgres
import PostgresServer
import StoreTesting
import Synchronization
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

@Suite("PostgreSQL: losing the database", .needs(.postgres), .serialized)
struct FleetLossTests {
  @Test("calls go on after the server was stopped at once and started again, each with its effect once")
  func crashes() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let database = try FleetDatabase(server)
    let store = try database.open()
    for round in 0..<3 {
      server.crash()
      let starting = Task.detached {
        try await Task.sleep(for: .milliseconds(300))
        try server.start()
      }
      let ids = try await store.add("a\(round)", "b\(round)")
      #expect(ids.count == 2)
      try await starting.value
      #expect(try await store.claim(UUID(), limit: 9).map(\.id) == ids)
    }
    #expect(try await store.counts(ids: nil) == [.active: 6])
  }

  @Test("a transaction whose commit got no answer takes effect once")
  func lostAnswers() async throws {
    let database = try FleetDatabase()
    let store = try database.open()
    var unsafe = try specification("http://h/post")
    unsafe.request.method = "POST"
    for _ in 0..<20 {
      let killer = Task.detached {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...6)))
        try database.server.psql(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = '\(database.name)' AND pid <> pg_backend_pid() AND application_name = 'dray'
          """)
      }
      let added = try await store.add([unsafe], marks: [], now: 1, seen: nil)
      #expect(added.count == 1)
      try? await killer.value
    }
    #expect(try await store.counts(ids: nil) == [.queued: 20])
  }

  @Test("a transaction that a crash undid is repeated, though another one has its number now")
  func reusedNumber() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let database = try FleetDatabase(server)
    let store = try database.open()
    let rounds = Mutex(0)
    let closing: @Sendable (Int64) -> [SQL] = { number in
      let isFirst = rounds.withLock { rounds in
        rounds += 1
        return rounds == 1
      }
      if isFirst {
        server.crash()
        try? server.start()
        for _ in 0..<1000 {
          let text = try? database.sql("SELECT pg_current_xact_id()")
          if let other = text.flatMap({ Int64($0) }), other >= number { break }
        }
      }
      return ["INSERT INTO settings VALUES ('reused', \("\(number)"))"]
    }
    let number = try await store.write(.durable, closing: closing) { db in
      try db.value("SELECT pg_current_xact_id()", as: Int64.self) ?? 0
    }
    #expect(rounds.withLock(\.self) == 2)
    #expect(try database.sql("SELECT value FROM settings WHERE name = 'reused'") == "\(number)")
  }

  @Test("a lease is given back to a database that does not answer, without a long wait")
  func silentRelease() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let lease = try await FleetDatabase(server).open().acquireLease(named: "r")
    server.suspend(true)
    defer { server.suspend(false) }
    let begun = SteadyClock.now()
    await lease.release()
    #expect(SteadyClock.now() - begun < FleetLease.length)
    #expect(lease.remaining == 0)
  }

  @Test(
    "a claim that was returned survives a crash of the server", arguments: [JobsPerOrigin.unlimited, .init(limit: 9)])
  func durableClaims(limits: JobsPerOrigin) async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let store = try FleetDatabase(server).open()
    let ids = try await store.add("a", "b", "c")
    for id in ids {
      let jobs = try await store.claim(runner: UUID(), limit: 1, scope: .all, jobsPerOrigin: limits, now: 2)
      server.crash()
      #expect(jobs.map(\.id) == [id])
      try server.start()
    }
    #expect(try await store.counts(ids: nil) == [.active: 3])
  }

  @Test("ends that a crash of the server undid are recorded again, or their jobs are interrupted")
  func undoneEnds() async throws {
    let database = try FleetDatabase()
    let store = try database.open()
    let ids = try await store.add("a", "b", "c", "d")
    let lease = try await store.acquireLease(named: "r")
    let runner = lease.runner
    #expect(try await store.claim(runner, limit: 9).map(\.id) == ids)
    #expect(try await store.undoneEnds(of: runner).isEmpty)
    try database.sql("CREATE TABLE dray.before AS SELECT * FROM dray.hot")
    #expect(try await store.finish([.sample(ids[0])], runner: runner, now: 3) == [ids[0]])
    #expect(try await store.giveBack([ids[1], ids[2]], runner: runner) == [])
    // What a crash leaves, and a command that came since.
    try database.sql(
      """
      UPDATE dray.hot SET state = 'active', runner = before.runner, finished_at = NULL
      FROM dray.before WHERE before.id = hot.id;
      UPDATE dray.hot SET command = 'remove' WHERE id = \(ids[2])
      """)
    let undone = try await store.undoneEnds(of: runner)
    #expect(undone.interrupted == [ids[1]])
    #expect(undone.commands.map(\.id) == [ids[2]] && undone.commands.map(\.command) == [.remove])
    #expect(try await store.undoneEnds(of: runner).interrupted == [])
    #expect(try await store.jobs(ids: ids).map(\.state) == [.complete, .interrupted, .active, .active])
    // Recovery may have released the job, if the lease ended during the outage.
    #expect(try await store.finish([.sample(ids[3])], runner: runner, now: 4) == [ids[3]])
    try database.sql("UPDATE dray.hot SET state = 'interrupted', publishing = '{}' WHERE id = \(ids[3])")
    #expect(try await store.undoneEnds(of: runner).interrupted == [])
    #expect(try await store.jobs(ids: [ids[3]]).map(\.state) == [.complete])
    await lease.release()
  }

  @Test("claims whose connections are lost return each job once")
  func lostClaims() async throws {
    let database = try FleetDatabase()
    let store = try database.open()
    let runner = UUID()
    let ids = try await store.add(
      (0..<200).map { try specification("http://h/\($0)") }, marks: [], now: 1, seen: nil
    ).map(\.id)
    var taken: [JobID] = []
    while true {
      let killer = Task.detached {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...6)))
        try database.server.psql(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = '\(database.name)' AND pid <> pg_backend_pid() AND application_name = 'dray'
          """)
      }
      let some = try await store.claim(
        runner: runner, limit: 10, scope: .all, jobsPerOrigin: JobsPerOrigin(limit: 1000), now: 2
      ).map(\.id)
      _ = try? await killer.value
      if some.isEmpty { break }
      taken += some
    }
    #expect(taken == ids)
    #expect(try await store.counts(ids: nil) == [.active: 200])
  }

  @Test("a runner's call ends with its lease, others after the time to wait")
  func patience() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let store = try FleetDatabase(server).open(busyTimeout: 1)
    let lease = try await store.acquireLease(named: "r")
    store.held.setLease(of: lease.runner, until: FleetClock.now() - 1)
    let over = await thrown { _ = try await store.commands(runner: lease.runner) }
    #expect(over?.isStoreAway == true)
    server.crash()
    let away = await thrown { _ = try await store.newestID() }
    #expect(away?.isStoreAway == true)
    await lease.release()
  }
}
