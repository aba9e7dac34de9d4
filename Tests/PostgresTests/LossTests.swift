// A server that is away: hung, refused, crashed, ended sessions, wrong passwords, a full disk, no writes.

import Foundation
import PostgresServer
import TestSupport
import Testing

@testable import Postgres

@Suite("PostgreSQL: failures of a server", .needs(.postgres), .serialized)
struct LossTests {
  private func error(_ body: () throws -> Void) -> PostgresError? {
    do {
      try body()
      return nil
    } catch {
      return error as? PostgresError
    }
  }

  private func connect(_ text: String, timeout: Double = 30) throws -> PostgresConnection {
    try PostgresConnection(PostgresConfiguration(text, connectTimeout: timeout, callTimeout: 60))
  }

  @Test("a call past its deadline closes the connection")
  func deadline() throws {
    let server = try PostgresServer.shared()
    let db = try connect(server.uri())
    let failure = error { try db.execute("SELECT pg_sleep(60)", within: 0.3) }
    #expect(failure?.kind == .connectionLost && !db.isOpen)
    let piped = try connect(server.uri())
    #expect(
      error { _ = try piped.pipeline([PostgresStatement("SELECT pg_sleep(60)")], within: 0.3) }?.kind == .connectionLost
    )
  }

  @Test("a hung server is noticed by calls and by new connections, which go on to the next host")
  func hung() throws {
    let (server, next) = (try PostgresServer(), try PostgresServer.shared())
    defer { server.stop() }
    let db = try connect(server.uri())
    server.suspend(true)
    defer { server.suspend(false) }
    #expect(error { try db.execute("SELECT 1", within: 0.3) }?.kind == .connectionLost)
    let failure = error { _ = try connect(server.uri(), timeout: 0.3) }
    #expect(failure?.kind == .connectionLost && failure?.message.contains("did not answer") == true)
    let both = "postgresql://dray@127.0.0.1:1,127.0.0.1:\(server.port),127.0.0.1:\(next.port)/postgres"
    #expect(try connect(both, timeout: 2).port == "\(next.port)")
  }

  @Test("a crash and a terminated session lose the connection; a new one works, also on another port")
  func crash() throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let db = try connect(server.uri())
    let queue = DispatchQueue(label: "crash")
    queue.asyncAfter(deadline: .now() + 0.3) { server.crash() }
    #expect(error { try db.execute("SELECT pg_sleep(60)") }?.kind == .connectionLost)
    queue.sync {}
    #expect(!db.isOpen && error { _ = try connect(server.uri()) }?.kind == .connectionLost)
    try server.start(on: PostgresServer.freePort())
    let calls: [(PostgresConnection) throws -> Void] = [
      { try $0.execute("SELECT 1") }, { try $0.script("SELECT 1") }, { _ = try $0.notifications(within: 10) },
      { _ = try $0.pipeline([PostgresStatement("SELECT 1"), PostgresStatement("SELECT 1")]) },
      { _ = try $0.copy("COPY pg_class FROM STDIN") { _ in } },
    ]
    for (index, call) in calls.enumerated() {
      let connection = try connect(server.uri())
      // Prepared, so that the loss meets the statement itself.
      try connection.execute("SELECT 1")
      try server.endSessions()
      let failure = error { try call(connection) }
      #expect(failure?.kind == .connectionLost && !connection.isOpen, "\(index): \(String(describing: failure))")
    }
  }

  @Test("a transaction that waits too long for its program ends with the session")
  func idle() throws {
    let db = try connect(PostgresServer.shared().uri())
    try db.script("SET idle_in_transaction_session_timeout = '100ms'")
    try db.script("BEGIN")
    var failure: PostgresError?
    for _ in 0..<200 where failure == nil {
      usleep(50_000)
      let sessions = try PostgresServer.shared().psql(
        "SELECT count(*) FROM pg_stat_activity WHERE pid = \(db.backendID)")
      if sessions == "0" { failure = error { try db.execute("SELECT 1") } }
    }
    #expect(failure?.kind == .connectionLost && !db.isOpen)
  }

  @Test("a wrong password, a missing one and a missing database are not a lost connection; no password is shown")
  func passwords() throws {
    let server = try PostgresServer.shared()
    try server.psql("DROP ROLE IF EXISTS locked")
    try server.psql("CREATE ROLE locked LOGIN PASSWORD 's3cret/@'")
    let place = "127.0.0.1:\(server.port)/postgres"
    #expect(try connect("postgresql://locked:s3cret%2F%40@\(place)").user == "locked")
    let texts =
      [
        ("postgresql://locked:wr0ng@\(place)", .notAuthorised), ("postgresql://locked@\(place)", .notAuthorised),
        (server.uri("missing"), .other), ("postgresql://dray@127.0.0.1:1/postgres", .connectionLost),
        ("postgresql://locked:s3cret/@\(place)", .mismatch), ("postgresql://locked:x@s3cret@\(place)", .connectionLost),
        ("host=h password='s3cret", .mismatch), ("host=h password=x s3cret", .mismatch),
        ("postgresql://h/db?s3cret", .mismatch), ("postgresql://h/db?wrong=1", .mismatch),
      ] as [(String, PostgresError.Kind)]
    for (text, kind) in texts {
      let failure = error { _ = try connect(text) }
      #expect(failure?.kind == kind, "\(text): \(String(describing: failure))")
      #expect(failure.map { "\($0)".contains("s3cret") || "\($0)".contains("wr0ng") } == false, "\(text)")
    }
  }

  @Test("too many connections, and a database that takes no writes")
  func refused() throws {
    let server = try PostgresServer(settings: ["max_connections = 5", "superuser_reserved_connections = 0"])
    defer { server.stop() }
    var open: [PostgresConnection] = []
    let failure = error { for _ in 0..<10 { open.append(try connect(server.uri())) } }
    #expect(failure?.kind == .tooManyConnections && open.count == 5)
    open = []
    try server.psql("CREATE TABLE t (id int8)")
    try server.setReadOnly(true)
    let db = try connect(server.uri())
    #expect(error { try db.execute("INSERT INTO t VALUES (1)") }?.kind == .readOnly)
    #expect(error { _ = try connect(server.uri() + "?target_session_attrs=read-write") }?.kind == .connectionLost)
    try server.setReadOnly(false)
    #expect(try connect(server.uri()).execute("INSERT INTO t VALUES (1)") == 1)
  }

  @Test("a full disk is an error of its kind, and ends with the room", .needs(.smallDisk))
  func full() throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let disk = try SmallDisk(on: server)
    defer { disk.remove() }
    let db = try connect(server.uri(disk.database))
    try db.script("CREATE TABLE t (x text)")
    disk.fill()
    let insert = "INSERT INTO t SELECT repeat(md5(i::text), 50) FROM generate_series(1, 2000) AS i"
    #expect(error { try db.execute(insert) }?.kind == .full)
    disk.empty()
    #expect(try db.execute(insert) == 2000)
  }
}
