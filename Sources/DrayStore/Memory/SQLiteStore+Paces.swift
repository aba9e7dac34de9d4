// The starts of requests at origins with a pace, shared by all runs.

import DrayCore
import SQLite

extension SQLiteStore {
  /// Seconds after which a start is forgotten: longer than any pause.
  private static let paceMemory = 1_728_000.0

  func reserveStart(at origin: String, pause: Double, now: Double) async throws(Failure) -> Double {
    try await write(.lazy) { db in
      let row = try Row.fetchOne(
        db.cachedStatement(sql: "SELECT start, pause, reserved_at FROM paces WHERE origin = ?"), arguments: [origin])
      let last = try row.map { PaceRecord(start: try $0[0], pause: try $0[1], reservedAt: try $0[2]) }
      if last == nil {
        try db.execute(sql: "DELETE FROM paces WHERE start < ?", arguments: [now - SQLiteStore.paceMemory])
      }
      let next = PaceRecord.next(after: last, pause: pause, now: now)
      try db.cachedStatement(
        sql: "INSERT OR REPLACE INTO paces (origin, start, pause, reserved_at) VALUES (?, ?, ?, ?)"
      ).execute(arguments: [origin, next.start, next.pause, next.reservedAt])
      return next.start
    }
  }
}
