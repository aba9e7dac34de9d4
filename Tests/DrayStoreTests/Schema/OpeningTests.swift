// Opening a store: a file that is foreign, damaged or of another version is refused and not touched (P14).

import DrayCore
import Foundation
import SQLite
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct OpeningTests {
  @Test("a store with a lowered version is left unchanged and reported as damaged")
  func versionPutBack() throws {
    let state = TemporaryState()
    try state.open().close()
    let queue = try DatabaseQueue(path: state.directory.databasePath)
    try queue.access { db in try db.execute(sql: "PRAGMA user_version = 0") }
    try queue.close()
    let failure = #expect(throws: Failure.self) { try state.open() }
    #expect(failure?.reason.contains("its version is 0") == true)
  }

  @Test func lookingMakesNothing() throws {
    let state = TemporaryState()
    #expect(try SQLiteStore.openIfPresent(state.directory) == nil)
    #expect(!FileManager.default.fileExists(atPath: state.directory.path))
    try state.plant(Data())
    #expect(try SQLiteStore.openIfPresent(state.directory) == nil)
    #expect(try state.databaseBytes.isEmpty)
  }

  @Test func emptyFileIsANewStore() async throws {
    let state = TemporaryState()
    try state.plant(Data())
    let store = try state.open()
    #expect(try await store.add(paths: "a") == [1])
    let again = try #require(try SQLiteStore.openIfPresent(state.directory))
    #expect(try await again.job(1)?.state == .queued)
  }

  @Test func nothingIsLeftBesideTheDatabase() async throws {
    let state = TemporaryState()
    _ = try await state.open().add(paths: "a")
    #expect(try state.names == ["dray.sqlite", "runners"])
    let before = try state.databaseBytes
    #expect(try await state.open().job(1) != nil)
    #expect(try state.databaseBytes == before)
    #expect(try state.names == ["dray.sqlite", "runners"])
  }

  /// A store with some jobs, closed.
  private static func sound() async throws -> Data {
    let state = TemporaryState()
    _ = try await state.open().add((0..<300).map { try specification("http://h/\($0)") }, now: 1)
    return try state.databaseBytes
  }

  private static func database(_ sql: String) throws -> Data {
    let state = TemporaryState()
    try state.directory.create()
    let queue = try DatabaseQueue(path: state.directory.databasePath)
    try queue.access { db in try db.execute(sql: sql) }
    try queue.close()
    return try state.databaseBytes
  }

  private static func ofVersion(_ version: Int) throws -> Data {
    try database(
      "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(version); CREATE TABLE t (a)")
  }

  @Test(arguments: [
    "garbage", "half a page", "missing pages", "page of noise", "foreign", "foreign log", "older", "newer",
  ])
  func refusedAndUntouched(_ name: String) async throws {
    let (bytes, word): (Data, String) =
      switch name {
      case "garbage":
        (Data("This is not a database, it is a letter to a friend. ".utf8) + Data(count: 9000), "not an SQLite")
      case "half a page": (try await Self.sound().dropLast(1000), "damaged")
      case "missing pages": (try await Self.sound().prefix(4096 * 8), "damaged")
      case "page of noise":
        (
          try await Self.sound().prefix(4096 * 5) + Data(repeating: 0xa5, count: 4096)
            + Self.sound().dropFirst(4096 * 6), "damaged"
        )
      case "foreign": (try Self.database("CREATE TABLE t (a)"), "another program")
      case "foreign log":
        (try Self.database("PRAGMA journal_mode = WAL; CREATE TABLE t (a)"), "another program")
      case "older": (try Self.ofVersion(Schema.version - 1), "of an older dray (version \(Schema.version - 1)")
      default: (try Self.ofVersion(99), "of a newer dray (version 99")
      }
    let state = TemporaryState()
    try state.plant(bytes)
    for open in [{ _ = try state.open() }, { _ = try SQLiteStore.openIfPresent(state.directory) }] {
      let failure = try #require(await thrown(open))
      #expect(failure.kind == .store)
      #expect(failure.subject == state.directory.databasePath)
      #expect(failure.reason.contains(word), "\(failure.reason)")
      #expect(failure.advice != nil)
      #expect(try state.databaseBytes == bytes)
      #expect(try state.names.subtracting(["runners"]) == ["dray.sqlite"])
    }
  }

  @Test func newerInTheLogOfAProgramThatWasKilled() async throws {
    let live = TemporaryState()
    try live.directory.create()
    let queue = try DatabaseQueue(path: live.directory.databasePath)
    try queue.access { db in
      try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID); PRAGMA journal_mode = WAL")
      try db.execute(sql: "PRAGMA user_version = 99; CREATE TABLE t (a)")
    }
    // The disk as it is if that program is killed now.
    let state = TemporaryState()
    try state.plant(live.databaseBytes)
    let log = try Data(contentsOf: URL(fileURLWithPath: live.directory.databasePath + "-wal"))
    try log.write(to: URL(fileURLWithPath: state.directory.databasePath + "-wal"))
    let before = try state.databaseBytes
    let failure = await thrown { _ = try state.open() }
    #expect(failure?.reason.contains("newer dray") == true)
    #expect(try state.databaseBytes == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: state.directory.databasePath + "-wal")) == log)
    try queue.close()
  }

  @Test func killedAfterACommitThatIsOnlyInTheLog() async throws {
    let live = TemporaryState()
    let store = try live.open()
    _ = try await store.add(paths: "a", "b")
    let state = TemporaryState()
    try state.plant(live.databaseBytes)
    try Data(contentsOf: URL(fileURLWithPath: live.directory.databasePath + "-wal"))
      .write(to: URL(fileURLWithPath: state.directory.databasePath + "-wal"))
    #expect(try await state.open().ids(states: [.queued]) == [1, 2])
  }

  @Test func directoryInsteadOfADatabase() async throws {
    let state = TemporaryState()
    try FileManager.default.createDirectory(
      atPath: state.directory.databasePath, withIntermediateDirectories: true)
    let failure = await thrown { _ = try state.open() }
    #expect(failure?.kind == .store)
  }

  @Test func lockedByAnotherProgram() async throws {
    let state = TemporaryState()
    _ = try await state.open().add(paths: "a")
    let other = try DatabaseQueue(path: state.directory.databasePath)
    let store = try state.open(busyTimeout: 0.05)
    try other.access { db in try db.beginTransaction(.immediate) }
    // Reads continue. Writes wait, and then fail with the reason.
    #expect(try await store.job(1) != nil)
    let failure = await thrown { _ = try await store.add(paths: "b") }
    #expect(failure?.kind == .store)
    #expect(failure?.reason.contains("another program holds") == true && failure?.recovery == .wait)
    try other.access { db in try db.rollback() }
    #expect(try await store.add(paths: "b") == [2])
  }

  @Test func waitsForAnotherProgram() async throws {
    let state = TemporaryState()
    _ = try await state.open().add(paths: "a")
    let other = try DatabaseQueue(path: state.directory.databasePath)
    let store = try state.open()
    let held = DispatchSemaphore(value: 0)
    let freed = Lines()
    Thread {
      try? other.access { db in
        try db.beginTransaction(.immediate)
        held.signal()
        usleep(300_000)
        freed.append("freed")
        try db.rollback()
      }
    }.start()
    held.wait()
    #expect(try await store.add(paths: "b") == [2])
    #expect(freed.all == ["freed"])
  }

  @Test func openedByManyAtOnceWhileNew() async throws {
    let state = TemporaryState()
    let ids = Lines()
    await concurrently(16) { number in
      do {
        let id = try await state.open().add(paths: "\(number)")
        ids.append("\(id)")
      } catch {
        ids.append("\(error)")
      }
    }
    #expect(Set(ids.all) == Set((1...16).map { "[\($0)]" }))
    #expect(try await state.open().unfinishedCount() == 16)
  }

  @Test func aMergeThatACrashCutOffInAPageIsMended() async throws {
    let (state, crashed) = (TemporaryState(), TemporaryState())
    let store = try state.open()
    let count = 200
    _ = try await store.add(try (0..<count).map { try specification("http://h/\($0)") }, now: 1)
    // The file after a crash: the log exists, and the first page that it adds is half written.
    try crashed.plant(try state.databaseBytes + Data(repeating: 7, count: 1000))
    try FileManager.default.copyItem(
      atPath: state.directory.databasePath + "-wal", toPath: crashed.directory.databasePath + "-wal")
    try #require(crashed.databaseBytes.count % 4096 != 0)
    let opened = try crashed.open()
    #expect(try await opened.unfinishedCount() == count)
    try opened.close()
    #expect(try crashed.databaseBytes.count % 4096 == 0)
    #expect(try await crashed.open().unfinishedCount() == count)
  }

  @Test func diskFullIsTold() async throws {
    let store = try TemporaryState().open()
    try await store.access { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages)")
    }
    let failure = await thrown {
      _ = try await store.add((0..<1000).map { try specification("http://h/\($0)") }, now: 1)
    }
    #expect(failure?.kind == .store)
    #expect(failure?.reason.contains("full") == true)
    #expect(try await store.unfinishedCount() == 0)
  }
}
