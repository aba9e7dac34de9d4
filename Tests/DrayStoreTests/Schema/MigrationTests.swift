// Migrations: stores of every version that was ever shipped open with today's program, with nothing lost (P3).

import DrayCore
import Foundation
import SQLite
import Testing

@testable import DrayStore

@Suite struct MigrationTests {
  @Test func storeOfVersion1() throws {
    let state = TemporaryState()
    try state.directory.create()
    let queue = try DatabaseQueue(path: state.directory.databasePath)
    try queue.access { db in try db.execute(sql: fixtureV1) }
    try queue.close()

    let store = try state.open()
    var wanted = try specification("https://h:8443/post?x=1", priority: 3, policy: .rename)
    wanted.request.method = "POST"
    wanted.request.headers = [HeaderField("X-A", "it's")]
    wanted.request.credentials = Credentials(user: "u", password: "p")
    wanted.options.digest = try DigestValue.parse("md5=00112233445566778899aabbccddeeff")
    wanted.options.rateLimit = 1000
    let job = try #require(try store.job(7))
    #expect(job.specification == wanted)
    #expect(job.uuid.uuidString == "9C19BCFF-E8F8-4C39-96DC-7E319C3D956A")
    #expect(job.checkpoint.segments.description == "0-10,20-30")
    #expect(job.checkpoint.size == 100)
    #expect(job.checkpoint.validators.etag == "\"v1\"")
    #expect(job.response?.finalURL.string == "https://cdn/z")
    #expect(job.retry == RetryRecord(used: 2, furthest: 30))
    #expect(job.failure?.retryAfter == 10)
    #expect(job.notBefore == 50)
    #expect(try store.attempts(of: 7).map(\.message) == ["503"])
    #expect(try store.job(3)?.published == FileIdentity(device: 1, inode: 2, size: 3, modified: 4))
    #expect(try store.counts() == [.queued: 1, .active: 1, .complete: 1])
    #expect(try store.activeRunners().count == 1)
    #expect(try store.add(paths: "new") == [8])
  }

  @Test func storeOfVersion2() throws {
    let state = TemporaryState()
    try state.directory.create()
    let queue = try DatabaseQueue(path: state.directory.databasePath)
    try queue.access { db in try db.execute(sql: fixtureV2) }
    try queue.close()

    let store = try state.open()
    // Of a job of before the user is taken to have named its whole directory.
    #expect(try store.job(1)?.specification.foreignDepth == 0)
    let first = try #require(try store.job(1))
    #expect(first.specification.options.digest?.hex == "00112233445566778899aabbccddeeff")
    #expect(first.specification.priority == 2)
    let second = try #require(try store.job(2))
    #expect(second.specification.options.hooks?.onComplete == ["echo", "x"])
    let third = try #require(try store.job(3))
    #expect(third.specification.request.method == "POST")
    #expect(third.specification.request.body?.length == 3)
    #expect(third.specification.request.authentication?.scheme == .digest)
    #expect(third.specification.request.credentials == Credentials(user: "u", password: "p"))
    #expect(try store.hstsEntries(now: 0).map(\.host) == ["h.example"])
    // Moved to the front; the first waits for its time, and the second for the first.
    let runner = UUID()
    #expect(try store.claim(runner: runner, limit: 5, scope: .all, now: 1_800_000_000).map(\.id) == [3])
    #expect(try store.claim(runner: runner, limit: 5, scope: .all, now: 1_900_000_000).map(\.id) == [1])
  }

  @Test func storeOfVersion8() throws {
    let state = TemporaryState()
    try state.directory.create()
    let queue = try DatabaseQueue(path: state.directory.databasePath)
    try queue.access { db in try db.execute(sql: fixtureV8) }
    try queue.close()

    let store = try state.open()
    let first = try #require(try store.job(1))
    #expect((first.state, first.fileName, first.published?.size) == (.complete, "a.bin", 16))
    #expect(first.response?.head.validators.etag == "\"6553f100-10\"")
    let second = try #require(try store.job(2))
    #expect((second.state, second.fileName, second.specification.foreignDepth) == (.queued, "x", 1))
    #expect(second.specification.priority == 2)
    // No job of before is in a group; they may come into one.
    #expect(first.group == nil && second.group == nil)
    #expect(try store.groups().isEmpty)
    var again = second.specification
    again.group = JobGroup(url: try url("https://h.example/"), directory: "/d/e")
    #expect(try store.add([again], now: 1).map(\.id) == [2])
    #expect(try store.job(2)?.group == GroupLabel(id: 1, name: "h.example"))
  }

  @Test(
    "stores of the latest versions open with nothing lost",
    arguments: [("v7", fixtureV7), ("v9", fixtureV9), ("v10", fixtureV10)])
  func storeOfLateVersion(_ version: String, _ fixture: String) throws {
    let state = TemporaryState()
    try state.directory.create()
    let queue = try DatabaseQueue(path: state.directory.databasePath)
    try queue.access { db in try db.execute(sql: fixture) }
    try queue.close()

    let store = try state.open()
    #expect(try store.counts() == [.complete: 1, .paused: 1, .queued: 2, .failed: 1])
    let first = try #require(try store.job(1))
    #expect(first.published?.size == 3_000_000 && first.checkpoint.segments.description == "0-3000000")
    #expect(first.specification.output == first.fileName && first.response?.head.first("content-length") == "3000000")
    let second = try #require(try store.job(2))
    #expect(second.specification.directory == "/d/e" && second.specification.priority == 2)
    #expect(second.specification.request.headers == [HeaderField("X-A", "it's")])
    #expect(second.specification.options.rateLimit == 1000)
    #expect(second.specification.options.digest?.hex == "00112233445566778899aabbccddeeff")
    let third = try #require(try store.job(3))
    #expect(try store.prerequisites(of: 3) == [2] && third.specification.options.hooks?.onComplete == ["echo", "x"])
    let fourth = try #require(try store.job(4))
    #expect(fourth.specification.request.method == "POST" && fourth.specification.request.body?.length == 3)
    let fifth = try #require(try store.job(5))
    #expect(fifth.failure?.kind == .status && fifth.failure?.httpStatus == 404)
    #expect(try store.attempts(of: 5).count == 1)
    #expect(try store.add(paths: "new") == [6])
  }

  /// A store of any version between is one of version 2 with the migrations since: those that have shipped never change.
  @Test("stores of all versions between open, too", arguments: 3...Schema.version)
  func storesBetween(_ version: Int) throws {
    let state = TemporaryState()
    try state.directory.create()
    let queue = try DatabaseQueue(path: state.directory.databasePath)
    try queue.access { db in
      try db.execute(sql: fixtureV2)
      try Schema.migrate(db, upTo: "v\(version)")
      #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == version)
    }
    try queue.close()

    let store = try state.open()
    #expect(try store.job(1)?.specification.priority == 2 && store.job(3)?.specification.request.method == "POST")
    #expect(try store.access { db in try Int.fetchOne(db, sql: "PRAGMA user_version") } == Schema.version)
  }

  @Test func whatHelpedIsRememberedForADay() throws {
    let store = try TemporaryState().open()
    try store.record(4, .connections, of: "https://h", now: 1000)
    try store.record(0, .connections, of: "https://i", now: 50_000)
    #expect(try store.helpful(.connections, now: 60_000) == ["https://h": 4, "https://i": 0])
    try store.record(8, .connections, of: "https://i", now: 88_000)
    #expect(try store.helpful(.connections, now: 88_000) == ["https://i": 8])
    // Before it was learnt, as a clock that was put back has it, nothing is known.
    #expect(try store.helpful(.connections, now: 70_000).isEmpty)
  }

  /// Today's schema is what its migrations make; a change of a shipped one fails here.
  @Test(arguments: [
    ("v1", fixtureV1), ("v2", fixtureV2), ("v7", fixtureV7), ("v8", fixtureV8), ("v9", fixtureV9),
    ("v10", fixtureV10),
  ])
  func schemaIsAsItWasShipped(_ version: String, _ fixture: String) throws {
    func schema(_ queue: DatabaseQueue) throws -> [String] {
      try queue.access { db in
        try String.fetchAll(
          db,
          sql:
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name"
        ).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      }
    }
    let state = TemporaryState()
    let shipped = try DatabaseQueue()
    let statements = fixture.replacing("PRAGMA journal_mode = WAL;", with: "")
    try shipped.access { db in try db.execute(sql: statements) }
    let made = try DatabaseQueue()
    try made.access { db in try Schema.migrate(db, upTo: version) }
    #expect(try schema(made) == schema(shipped))
    #expect(
      try state.open().access { db in try Int.fetchOne(db, sql: "PRAGMA user_version") } == Schema.version)
  }
}
