// Helpful numbers of connections and jobs for each origin, shared by all runs.

import DrayCore
import SQLite

extension HelpfulCount {
  fileprivate var table: String { rawValue }
}

extension SQLiteStore {
  /// Seconds that a learned number stays valid: a day, as networks change.
  private static let helpfulMemory = 86_400.0

  func helpful(_ count: HelpfulCount, now: Double) async throws(Failure) -> [String: Int] {
    try await look { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT origin, helpful FROM \(count.table) WHERE learned_at BETWEEN ? AND ?",
        arguments: [now - SQLiteStore.helpfulMemory, now])
      return Dictionary(try rows.map { (try $0[0], try $0[1]) }, uniquingKeysWith: { $1 })
    }
  }

  func record(_ helpful: Int, _ count: HelpfulCount, of origin: String, now: Double) async throws(Failure) {
    try await write(.lazy) { db in
      // Times in the future come from a clock that was set back.
      try db.execute(
        sql: "DELETE FROM \(count.table) WHERE learned_at NOT BETWEEN ? AND ?",
        arguments: [now - SQLiteStore.helpfulMemory, now])
      try db.execute(
        sql: "INSERT OR REPLACE INTO \(count.table) (origin, helpful, learned_at) VALUES (?, ?, ?)",
        arguments: [origin, helpful, now])
    }
  }
}
