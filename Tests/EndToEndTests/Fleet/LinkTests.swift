// The link of the harness: bytes sent while it is cut arrive once it is mended, like the late writes of a lost machine.

import FaultServer
import Postgres
import PostgresServer
import TestSupport
import Testing

@Suite("The link between a machine and the database", .needs(.postgres))
struct LinkTests {
  @Test("nothing passes while it is cut; a write that was given up arrives late; new connections wait")
  func late() async throws {
    let server = try PostgresServer.shared()
    let database = try server.newDatabase()
    let link = try FaultServer.Link(to: server.port)
    defer { link.stop() }
    func connect(_ seconds: Double) throws -> PostgresConnection {
      try PostgresConnection(
        PostgresConfiguration(server.uri(database, port: link.port), connectTimeout: seconds, callTimeout: seconds))
    }
    let db = try connect(30)
    try db.script("CREATE TABLE t (n int8)")
    try db.execute("INSERT INTO t VALUES ($1)", [1])
    link.cut()
    let failure = #expect(throws: PostgresError.self) { try db.execute("INSERT INTO t VALUES ($1)", [2], within: 0.5) }
    #expect(failure?.kind == .connectionLost && !db.isOpen)
    #expect(throws: PostgresError.self) { try connect(0.5) }
    #expect(try server.psql("SELECT count(*) FROM t", in: database) == "1")
    link.mend()
    try await waitUntil("the late write", seconds: 30) {
      try server.psql("SELECT count(*) FROM t", in: database) == "2"
    }
    #expect(try connect(30).value("SELECT sum(n) FROM t") == 3)
  }

  @Test("it leads to another port")
  func another() async throws {
    let (server, other) = (try PostgresServer.shared(), try PostgresServer())
    defer { other.stop() }
    let link = try FaultServer.Link(to: other.port)
    defer { link.stop() }
    func port() throws -> Int? {
      try PostgresConnection(PostgresConfiguration(server.uri(port: link.port))).value("SELECT inet_server_port()")
    }
    #expect(try port() == other.port)
    link.lead(to: server.port)
    #expect(try port() == server.port)
  }
}
