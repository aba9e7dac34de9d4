// Losing the database of a store, and finding it again.

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

  @Test("a standby at the address is read, and waited for until it is the primary")
  func standby() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let database = try FleetDatabase(server)
    let (store, hasty) = (try database.open(), try database.open(busyTimeout: 0.3))
    let ids = try await store.add("a")
    server.shutDown()
    #expect(FileManager.default.createFile(atPath: server.directory + "/data/standby.signal", contents: nil))
    try server.start()
    #expect(try database.open().label == store.label)
    #expect(try await hasty.jobs(ids: ids).count == 1)
    #expect(try PostgresStore.examine(database.address, path: "").isStandby)
    do throws(Failure) {
      _ = try await hasty.acquireLease()
      Issue.record("a standby gave a lease")
    } catch {
      #expect(error.isStoreAway && error.reason.contains("standby"))
    }
    async let lease = store.acquireLease()
    try server.psql("SELECT pg_promote()")
    #expect(try await lease.remaining != 0)
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
    let number = try await store.write(.durable, last: LastStatements(make: closing)) { db in
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

  @Test("an end that a hook may tell survives a crash of the server")
  func settledEnds() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let store = try FleetDatabase(server).open()
    let ids = try await store.add("a", "b", "c")
    let lease = try await store.acquireLease(named: "r")
    for id in ids {
      #expect(try await store.claim(lease.runner, limit: 1).map(\.id) == [id])
      #expect(try await store.finish([.sample(id)], runner: lease.runner, now: 3) == [id])
      #expect(try await store.settledJob(id)?.state == .complete)
      server.crash()
      try server.start()
    }
    #expect(try await store.counts(ids: nil) == [.complete: 3])
    await lease.release()
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
    // The state that a crash leaves, and a command that arrived after it.
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
