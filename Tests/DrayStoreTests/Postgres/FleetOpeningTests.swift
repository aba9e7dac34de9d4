// Opening a store in PostgreSQL, and losing its database.

import DrayCore
import DrayStore
import Foundation
import PostgresServer
import StoreTesting
import TestSupport
import Testing

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
