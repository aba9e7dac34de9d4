// Against PostgreSQL from Debian: statements, pipelines, COPY, notifications.

import Dispatch
import PostgresServer
import TestSupport
import Testing

@testable import Postgres

@Suite("PostgreSQL: a server", .needs(.postgres))
struct LiveTests {
  /// Runs `body` on a connection to an empty database.
  private func access(_ body: (PostgresConnection, PostgresConfiguration) throws -> Void) throws {
    let server = try PostgresServer.shared()
    let configuration = PostgresConfiguration(server.uri(try server.newDatabase()))
    try body(PostgresConnection(configuration), configuration)
  }

  private func error(_ body: () throws -> Void) -> PostgresError? {
    do {
      try body()
      return nil
    } catch {
      return error as? PostgresError
    }
  }

  @Test("the connection has the configured name, and is in UTF-8")
  func session() throws {
    let server = try PostgresServer.shared()
    let db = try PostgresConnection(PostgresConfiguration(server.uri(), applicationName: "dray box"))
    #expect(try db.value("SELECT current_setting('application_name')") == "dray box")
    #expect(try db.value("SELECT current_setting('client_encoding')") == "UTF8")
    #expect(try db.value("SELECT pg_backend_pid()") == db.backendID)
    #expect(db.host == "127.0.0.1" && db.port == "\(server.port)" && db.user == "dray" && !db.isEncrypted)
    #expect(db.serverVersion >= 130_000 && db.isOpen && !db.isInTransaction && db.socket >= 0)
    #expect(try PostgresConnection.libraryVersion() >= 140_000)
    let named = try PostgresConnection(PostgresConfiguration(server.uri() + "?application_name=mine"))
    #expect(try named.value("SELECT current_setting('application_name')") == "mine")
    db.close()
    #expect(!db.isOpen && db.socket == -1 && error { try db.execute("SELECT 1") }?.kind == .connectionLost)
  }

  @Test("every kind of value comes back as it was bound")
  func values() throws {
    try access { db, _ in
      try db.script(
        """
        CREATE TYPE mood AS ENUM ('good', 'bad');
        CREATE TABLE t (a int2, b int4, c int8, d float8, e bool, f text, g bytea, h timestamptz, i uuid, j jsonb,
          k int8[], l text[], m bytea[], n numeric, o mood, p uuid[], q varchar(9), r xid8)
        """)
      let uuid = (0..<16).map { UInt8($0) }
      let bound: PostgresArguments = [
        Int32(-1), 2, Int64.max, 0.1, true, "a\té\n'\\", [0, 255] as [UInt8], 1_700_000_000.25, uuid, "{\"a\": 1}",
        [1, nil] as [Int64?], ["x", "\"", nil] as [String?], [[1], []] as [[UInt8]], 12_345_678_901, "bad", [uuid], "v",
        7,
      ]
      let places = (1...18).map { "$\($0)" }.joined(separator: ", ")
      try db.execute("INSERT INTO t VALUES (\(places))", bound)
      let row = try #require(try db.row("SELECT * FROM t"))
      #expect(try row[0] as Int == -1 && row["b"] as Int == 2 && row["c"] as Int64 == .max && row["d"] as Double == 0.1)
      #expect(try row["e"] as Bool && row["f"] as String == "a\té\n'\\" && row["g"] as [UInt8] == [0, 255])
      #expect(try row["h"] as Double == 1_700_000_000.25 && row["i"] as [UInt8] == uuid)
      #expect(try row["j"] as String == "{\"a\": 1}" && row["k"] as [Int64?] == [1, nil])
      #expect(try row["l"] as [String?] == ["x", "\"", nil] && row["m"] as [[UInt8]] == [[1], []])
      #expect(try row["n"] as Int == 12_345_678_901 && row["o"] as String == "bad" && row["p"] as [[UInt8]] == [uuid])
      #expect(try row["q"] as String == "v" && row["r"] as Int == 7)
      try db.execute("INSERT INTO t VALUES (\(places))", PostgresArguments(Array(repeating: .null, count: 18)))
      let nulls = try #require(try db.row("SELECT * FROM t WHERE a IS NULL"))
      #expect(try (0..<18).allSatisfy { try nulls[$0] as PostgresValue == .null } && nulls["f"] as String? == nil)
      for bad in [
        error { _ = try nulls["f"] as String }, error { _ = try row["f"] as Int }, error { _ = try row["z"] as Int },
      ] { #expect(bad?.kind == .mismatch) }
    }
  }

  @Test(
    "a numeric is an integer if it is whole",
    arguments: [
      ("0", .integer(0)), ("10000", .integer(10_000)), ("-12345678901234567", .integer(-12_345_678_901_234_567)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)), ("1.0", .integer(1)),
      ("1.5", .real(1.5)), ("-0.00012", .real(-0.00012)), ("9223372036854775808", .real(9_223_372_036_854_775_808)),
      ("1e30", .real(1e30)),
    ] as [(String, PostgresValue)])
  func numeric(_ text: String, _ value: PostgresValue) throws {
    try access { db, _ in
      let read: PostgresValue? = try db.value("SELECT '\(text)'::numeric")
      #expect(read == value)
    }
  }

  @Test("errors have a kind, a statement can follow")
  func errors() throws {
    try access { db, _ in
      try db.script("CREATE TABLE t (id int8 PRIMARY KEY CHECK (id > 0))")
      try db.execute("INSERT INTO t VALUES ($1)", [1])
      let unique = error { try db.execute("INSERT INTO t VALUES ($1)", [1]) }
      #expect(unique?.kind == .unique && unique?.constraint == "t_pkey" && unique?.detail?.contains("(id)=(1)") == true)
      #expect(unique.map { "\($0)".contains("(1)") } == false)
      #expect(error { try db.execute("SELECT * FROM missing") }?.kind == .undefined)
      #expect(error { try db.execute("SELECT $1::int4", [1 << 40]) }?.kind == .mismatch)
      #expect(error { try db.execute("SELECT $1::int4", []) }?.kind == .mismatch)
      #expect(error { try db.execute("COPY t FROM STDIN") }?.kind == .mismatch)
      #expect(error { try db.execute("SELECT 1/0") }?.state == "22012")
      #expect(error { try db.script("SELECT 1; SELECT 1/0; SELECT 2") }?.state == "22012")
      #expect(try db.value("SELECT count(*) FROM t") == 1)
    }
  }

  @Test("more texts than stay prepared, and a table whose columns change")
  func prepared() throws {
    try access { db, _ in
      for number in 0..<900 { #expect(try db.value("SELECT \(number)") == number) }
      try db.script("CREATE TABLE t (a int4); INSERT INTO t VALUES (1)")
      #expect(try db.row("SELECT * FROM t")?.count == 1)
      try db.script("ALTER TABLE t ADD b int4")
      // Once: the server refuses the old plan.
      _ = error { _ = try db.row("SELECT * FROM t") }
      #expect(try db.row("SELECT * FROM t")?.count == 2)
    }
  }

  @Test("a pipeline is one transaction, and names the statement that failed")
  func pipeline() throws {
    try access { db, _ in
      try db.script("CREATE TABLE t (id int8 PRIMARY KEY, n int4)")
      let insert = "INSERT INTO t VALUES ($1, $2)"
      let results = try db.pipeline([
        PostgresStatement(insert, [1, 10]), PostgresStatement(insert, [2, 20]),
        PostgresStatement("SELECT n FROM t WHERE id = ANY($1) ORDER BY id", [[1, 2]]),
        PostgresStatement("UPDATE t SET n = n + 1"),
      ])
      #expect(try results[2].map { try $0[0] as Int } == [10, 20] && results[3].changedCount == 2)
      let failure = error {
        _ = try db.pipeline([
          PostgresStatement(insert, [3, 1]), PostgresStatement(insert, [1, 1]), PostgresStatement(insert, [4, 1]),
        ])
      }
      #expect(failure?.kind == .unique && failure?.statement == 1)
      #expect(try db.value("SELECT count(*) FROM t") == 2)
      #expect(error { _ = try db.pipeline([PostgresStatement("nonsense")]) }?.state == "42601")
      #expect(error { _ = try db.pipeline([PostgresStatement(insert, ["x", 1])]) } != nil)
      #expect(try db.pipeline([]).isEmpty && db.value("SELECT 1") == 1)
      // An error at the end of the transaction counts for the last statement, and what was committed before it stays.
      try db.script(
        "CREATE TEMP TABLE late (a int UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO late VALUES (1); BEGIN")
      try db.execute("INSERT INTO late VALUES (2)")
      let late = error {
        _ = try db.pipeline([PostgresStatement("COMMIT"), PostgresStatement("INSERT INTO late VALUES (1)")])
      }
      #expect(late?.state == "23505" && late?.statement == 1)
      #expect(db.isOpen && !db.isInTransaction)
      #expect(try db.value("SELECT sum(a) FROM late") == Int64(3))
      // More than fits in the buffers of both sides.
      let many = (10..<4000).map { PostgresStatement(insert + " RETURNING repeat('x', 500)", [$0, 1]) }
      #expect(try db.pipeline(many).count == 3990)
    }
  }

  @Test("a batch goes through unnest")
  func batch() throws {
    try access { db, _ in
      try db.script("CREATE TABLE t (id int8 PRIMARY KEY, name text, data bytea)")
      let ids = Array(0..<5000)
      let count = try db.execute(
        "INSERT INTO t SELECT * FROM unnest($1::int8[], $2::text[], $3::bytea[])",
        [ids, ids.map { $0 == 7 ? nil : "n\($0)" }, ids.map { [UInt8($0 % 256)] }])
      #expect(count == 5000)
      #expect(try db.value("SELECT name FROM t WHERE id = 7") == nil as String?)
      #expect(try db.value("SELECT data FROM t WHERE id = 300") == [44] as [UInt8])
    }
  }

  @Test("COPY brings rows; the sender's and the server's errors undo it")
  func copy() throws {
    try access { db, _ in
      try db.script("CREATE TABLE t (id int8 PRIMARY KEY, name text, data bytea, tags text[], at timestamptz, ok bool)")
      let sql = "COPY t FROM STDIN"
      let count = try db.copy(sql) { copy in
        for id in 0..<20_000 {
          let tags: [String?] = ["a\\\t\"", nil]
          try copy.row([id, "n\t\(id)\\\n", [1, 2] as [UInt8], tags, PostgresValue.time(Int64(id)), id % 2 == 0])
        }
      }
      #expect(count == 20_000)
      let row = try #require(try db.row("SELECT * FROM t WHERE id = 11"))
      #expect(try row["name"] as String == "n\t11\\\n" && row["data"] as [UInt8] == [1, 2])
      #expect(try row["tags"] as [String?] == ["a\\\t\"", nil] && row["at"] as Double == 0.000011)
      #expect(try row["ok"] as Bool == false)
      #expect(error { _ = try db.copy(sql) { try $0.row([1, nil, nil, nil, nil, nil]) } }?.kind == .unique)
      #expect(throws: CancellationError.self) {
        try db.copy(sql) { copy in
          try copy.row([99_999, nil, nil, nil, nil, nil])
          throw CancellationError()
        }
      }
      #expect(error { _ = try db.copy("SELECT 1") { _ in } }?.kind == .mismatch)
      #expect(error { _ = try db.copy("COPY missing FROM STDIN") { _ in } }?.kind == .undefined)
      #expect(try db.copy("COPY t (id) FROM STDIN") { try $0.write(Array("50000\n50001\n".utf8)) } == 2)
      #expect(try db.value("SELECT count(*) FROM t") == 20_002)
    }
  }

  @Test("a transaction commits, rolls back, and is repeated after a deadlock's victim")
  func transaction() throws {
    try access { db, configuration in
      try db.script("CREATE TABLE t (id int8 PRIMARY KEY, n int4); INSERT INTO t VALUES (1, 0)")
      try db.transaction { try db.execute("UPDATE t SET n = 1") }
      #expect(throws: CancellationError.self) {
        try db.transaction {
          try db.execute("DELETE FROM t")
          throw CancellationError()
        }
      }
      #expect(error { try db.transaction { _ = try? db.execute("SELECT 1/0") } }?.state == "25P02")
      #expect(error { try db.transaction(isReadOnly: true) { _ = try db.execute("DELETE FROM t") } }?.kind == .readOnly)
      #expect(try db.value("SELECT n FROM t") == 1 && !db.isInTransaction)

      let other = try PostgresConnection(configuration)
      var tries = 0
      try db.transaction(.repeatableRead, tries: 3) {
        tries += 1
        _ = try db.row("SELECT n FROM t")
        // A change after the snapshot makes the update fail with 40001.
        if tries == 1 { try other.execute("UPDATE t SET n = n + 10") }
        try db.execute("UPDATE t SET n = n + 1")
      }
      #expect(try tries == 2 && db.value("SELECT n FROM t") == 12)
    }
  }

  @Test("notifications arrive, wake a waiter, and can be waited for with another descriptor")
  func notifications() throws {
    try access { db, configuration in
      let listener = try PostgresConnection(configuration)
      try listener.listen("a\"b")
      #expect(try listener.notifications(within: 0).isEmpty)
      try db.notify("a\"b", "1")
      try db.transaction { for text in ["2", "3"] { try db.notify("a\"b", text) } }
      var arrived: [PostgresNotification] = []
      for _ in 0..<10 where arrived.count < 3 { arrived += try listener.notifications(within: 10) }
      #expect(arrived.map(\.payload) == ["1", "2", "3"])
      #expect(arrived.allSatisfy { $0.channel == "a\"b" && $0.backendID == db.backendID })
      let queue = DispatchQueue(label: "sender")
      queue.asyncAfter(deadline: .now() + 0.2) { _ = try? db.notify("a\"b", "4") }
      #expect(try listener.notifications(within: 60).map(\.payload) == ["4"])
      queue.sync {}
      // The other connection's socket becomes readable once its channel has news.
      try db.listen("c")
      queue.asyncAfter(deadline: .now() + 0.2) { _ = try? PostgresConnection(configuration).notify("c") }
      #expect(try listener.notifications(within: 60, orReadable: db.socket).isEmpty)
      queue.sync {}
      try listener.unlisten("a\"b")
      try db.notify("a\"b", "5")
      #expect(try listener.notifications(within: 0.2).isEmpty)
    }
  }

  @Test("a statement is cancelled from another thread")
  func cancel() throws {
    try access { db, _ in
      let canceller = try db.canceller()
      let queue = DispatchQueue(label: "canceller")
      queue.asyncAfter(deadline: .now() + 0.3) { canceller.cancel() }
      #expect(error { try db.execute("SELECT pg_sleep(60)", within: 100) }?.kind == .cancelled)
      queue.sync {}
      #expect(try db.value("SELECT 1") == 1)
    }
  }
}
