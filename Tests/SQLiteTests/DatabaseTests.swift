// Connections, statements, values and transactions.

import Posix
import SQLite
import Testing

@Suite("SQLite")
struct DatabaseTests {
  private func access<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try DatabaseQueue().access(body)
  }

  @Test("every kind of value comes back as it was bound")
  func values() throws {
    let all: [DatabaseValue] = [
      .null, .integer(0), .integer(.min), .integer(.max), .real(-0.5), .real(.infinity), .text(""), .text("a\u{0}é\n"),
      .blob([]), .blob([0, 255]),
    ]
    try access { (db) throws in
      for value in all {
        #expect(
          try DatabaseValue.fetchOne(db, sql: "SELECT ? WHERE 1", arguments: [value]) == (value == .null ? nil : value))
        let row = try #require(try Row.fetchOne(db, sql: "SELECT ?", arguments: [value]))
        #expect(try row[0] as DatabaseValue == value)
      }
    }
  }

  @Test(
    "a stored value converts to a Swift type if nothing is lost",
    arguments: [
      (DatabaseValue.integer(7), 7, 7.0, true, nil as String?), (.real(7), 7, 7.0, true, nil),
      (.real(7.5), nil, 7.5, nil, nil), (.text("7"), nil, nil, nil, "7"), (.integer(0), 0, 0, false, nil),
      (.blob([7]), nil, nil, nil, nil),
    ] as [(DatabaseValue, Int?, Double?, Bool?, String?)])
  func conversions(_ value: DatabaseValue, _ int: Int?, _ double: Double?, _ bool: Bool?, _ text: String?) {
    #expect(Int.fromDatabaseValue(value) == int && Double.fromDatabaseValue(value) == double)
    #expect(Bool.fromDatabaseValue(value) == bool && String.fromDatabaseValue(value) == text)
    #expect(Int32.fromDatabaseValue(.integer(1 << 40)) == nil)
  }

  @Test("NULL is nil where an optional is requested")
  func null() throws {
    try access { (db) throws in
      let row = try #require(try Row.fetchOne(db, sql: "SELECT NULL AS a, 1 AS b"))
      #expect(try row[0] as String? == nil && row["a"] as Int? == nil && row["b"] as Int? == 1 && row.count == 2)
      #expect(try Int.fetchOne(db, sql: "SELECT NULL") == nil && Int.fetchOne(db, sql: "SELECT 1 WHERE 0") == nil)
    }
  }

  @Test("a value of the wrong type and a missing column are errors")
  func mismatch() throws {
    try access { (db) throws in
      let row = try #require(try Row.fetchOne(db, sql: "SELECT 'x' AS a, NULL AS b"))
      for error in [
        #expect(throws: DatabaseError.self) { try row[0] as Int },
        #expect(throws: DatabaseError.self) { try row[1] as Int },
        #expect(throws: DatabaseError.self) { try row["a"] as Int? },
        #expect(throws: DatabaseError.self) { try row["c"] as Int },
      ] { #expect(error?.resultCode == .mismatch) }
      #expect(throws: DatabaseError.self) { try Int.fetchAll(db, sql: "SELECT 'x'") }
    }
  }

  @Test("texts, integers and numbers are read as by the generic subscript")
  func typedValues() throws {
    try DatabaseQueue().access { db in
      let row = try #require(try Row.fetchOne(db, sql: "SELECT 'a', 7, 1.5, 2.0, NULL, x'00'"))
      #expect(try row.text(0) == "a" && row.text(4) == nil)
      #expect(try row.integer(1) == 7 && row.integer(3) == 2 && row.integer(4) == nil)
      #expect(try row.real(1) == 7 && row.real(2) == 1.5 && row.real(4) == nil)
      for index in [1, 2, 5] { #expect(throws: DatabaseError.self) { try row.text(index) } }
      for index in [0, 2, 5] { #expect(throws: DatabaseError.self) { try row.integer(index) } }
      for index in [0, 5] { #expect(throws: DatabaseError.self) { try row.real(index) } }
    }
  }

  @Test("arguments are bound by place and by name; too many and too few are refused")
  func arguments() throws {
    try access { (db) throws in
      #expect(try Int.fetchOne(db, sql: "SELECT ? - ?", arguments: [5, 3]) == 2)
      #expect(try Int.fetchOne(db, sql: "SELECT :a - :b + :a", arguments: ["a": 5, "b": 3]) == 7)
      #expect(try Int.fetchOne(db, sql: "SELECT ?2 - ?1 + ?2", arguments: [5, 3]) == 1)
      for bad: StatementArguments in [[], [1], [1, 2, 3]] {
        #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: "SELECT ? - ?", arguments: bad) }
      }
      #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: "SELECT :a", arguments: ["b": 1]) }
    }
  }

  @Test("several statements share the arguments of one call")
  func script() throws {
    try access { (db) throws in
      try db.execute(
        sql: "CREATE TABLE t (a); -- one\n INSERT INTO t VALUES (?), (?);; INSERT INTO t VALUES (?) ; ",
        arguments: [1, 2, 3])
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a") == [1, 2, 3])
      #expect(db.changesCount == 1 && db.totalChangesCount == 3 && db.lastInsertedRowID == 3)
      #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM t WHERE a = ?", arguments: [1, 2]) }
      #expect(throws: DatabaseError.self) { try db.makeStatement(sql: " -- nothing") }
    }
  }

  @Test("a cursor sees one row after the other, and its statement is free when it is gone")
  func cursor() throws {
    try access { (db) throws in
      let sql = "SELECT value FROM json_each('[1, 2, 3]')"
      let rows = try Row.fetchCursor(db.cachedStatement(sql: sql))
      #expect(try rows.next()?[0] as Int? == 1)
      // While it runs, the same text gets a second statement.
      #expect(try Int.fetchAll(db.cachedStatement(sql: sql)) == [1, 2, 3])
      #expect(try rows.next()?[0] as Int? == 2)
      #expect(try rows.next()?[0] as Int? == 3)
      #expect(try rows.next() == nil && rows.next() == nil)
      let first = try db.cachedStatement(sql: sql)
      do { _ = try Row.fetchCursor(first).next() }
      #expect(try db.cachedStatement(sql: sql) === first)
      #expect(try Row.fetchAll(first).map { try $0["value"] as Int } == [1, 2, 3])
    }
  }

  @Test("a transaction is committed or rolled back as a whole")
  func transactions() throws {
    struct Stop: Error {}
    try access { (db) throws in
      try db.execute(sql: "CREATE TABLE t (a)")
      try db.inTransaction(.immediate) { try db.execute(sql: "INSERT INTO t VALUES (1)") }
      #expect(throws: Stop.self) {
        try db.inTransaction(.deferred) {
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          #expect(db.isInsideTransaction)
          throw Stop()
        }
      }
      #expect(try !db.isInsideTransaction && Int.fetchAll(db, sql: "SELECT a FROM t") == [1])
      // SQLite itself may have rolled it back.
      try db.beginTransaction(.deferred)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT OR ROLLBACK INTO t SELECT abs(-9223372036854775808)")
      }
      try db.rollback()
      #expect(!db.isInsideTransaction)
    }
  }

  @Test("foreign keys are checked, and a quoted name is never a text")
  func strictness() throws {
    try access { (db) throws in
      try db.execute(sql: "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a REFERENCES a (id))")
      let error = #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO b VALUES (1)") }
      #expect(error?.resultCode == .constraint && error?.message.contains("FOREIGN KEY") == true)
      #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT \"nothing\"") }
      #expect(try db.tableExists("a") && !db.tableExists("c"))
    }
  }

  @Test("an error says what failed")
  func errors() throws {
    try access { (db) throws in
      let error = #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT * FROM nowhere") }
      #expect(error?.resultCode == .error && error?.message == "no such table: nowhere")
      #expect(error.map { "\($0)" }?.contains("SELECT * FROM nowhere") == true)
    }
    let missing = #expect(throws: DatabaseError.self) { try DatabaseQueue(path: "/nowhere/at/all.sqlite") }
    #expect(missing?.resultCode == .cannotOpen)
  }

  @Test("a closed connection is unusable")
  func closing() throws {
    let queue = try DatabaseQueue()
    try queue.access { db in _ = try Int.fetchOne(db.cachedStatement(sql: "SELECT 1")) }
    try queue.close()
    try queue.close()
    let error = #expect(throws: DatabaseError.self) { try queue.access { db in try Int.fetchOne(db, sql: "SELECT 1") } }
    #expect(error?.resultCode == .misuse)
    queue.access { db in #expect(db.changesCount == 0 && !db.isInsideTransaction) }
  }
}

@Suite("SQLite in files")
struct DatabaseFileTests {
  /// A new path for a database; the files go with the test's directory.
  private func withPath(_ body: (String) throws -> Void) throws {
    let path = "\(System.temporaryDirectory)/dray-sqlite-\(UInt64.random(in: 0 ... .max)).sqlite"
    defer { for end in ["", "-wal", "-shm", "-journal"] { System.remove(path + end) } }
    try body(path)
  }

  @Test("a file that is not a database is refused when it is opened")
  func garbage() throws {
    try withPath { path in
      let descriptor = try System.create(path, mode: 0o600)
      try System.write(Array(repeating: UInt8(ascii: "x"), count: 4096), to: descriptor)
      System.close(descriptor)
      let error = #expect(throws: DatabaseError.self) { try DatabaseQueue(path: path) }
      #expect(error?.resultCode == .notADatabase)
    }
  }

  @Test("a read-only connection writes nothing, and creates no file")
  func readonly() throws {
    try withPath { path in
      var configuration = DatabaseConfiguration()
      configuration.readonly = true
      #expect(throws: DatabaseError.self) { try DatabaseQueue(path: path, configuration: configuration) }
      #expect(System.kind(path) == .missing)
      try DatabaseQueue(path: path).access { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let reader = try DatabaseQueue(path: path, configuration: configuration)
      let error = #expect(throws: DatabaseError.self) {
        try reader.access { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
      }
      #expect(error?.resultCode == .readOnly)
    }
  }

  @Test("a lock of another connection is waited for, and then reported")
  func busy() throws {
    try withPath { path in
      let (first, second) = (try DatabaseQueue(path: path), try DatabaseQueue(path: path))
      try first.access { db in
        try db.execute(sql: "CREATE TABLE t (a)")
        try db.beginTransaction(.immediate)
      }
      let error = #expect(throws: DatabaseError.self) {
        try second.access { db in try db.beginTransaction(.immediate) }
      }
      #expect(error?.resultCode == .busy)
      try first.access { db in try db.rollback() }
      try second.access { db in
        try db.beginTransaction(.immediate)
        try db.commit()
      }
    }
  }
}
