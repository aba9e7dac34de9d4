// Errors of an unusable store, and whether waiting helps.

import DrayCore
import Foundation
import SQLite
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct StoreFailureTests {
  @Test("a full disk recovers once there is room, and a failed call leaves nothing behind")
  func full() async throws {
    let state = TemporaryState()
    let store = try state.open()
    #expect(try await store.add(paths: "a") == [1])
    try await store.access { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages)")
    }
    let many = try (0..<2000).map { try specification("http://h/\($0)") }
    let failure = await thrown { _ = try await store.add(many, now: 2) }
    #expect(failure?.kind == .store && failure?.reason.contains("is full") == true)
    #expect(failure?.recovery == .wait)
    #expect(try await store.job(2) == nil)
    try await store.access { db in try db.execute(sql: "PRAGMA max_page_count = 1000000") }
    #expect(try await store.add(paths: "b").count == 1)
  }

  @Test("a damaged store stays damaged")
  func damaged() throws {
    let state = TemporaryState()
    try state.plant(Data("this is no database, however long it is read".utf8))
    let failure = #expect(throws: Failure.self) { _ = try state.open() }
    #expect(failure?.kind == .store && failure?.recovery == .keep)
  }
}
