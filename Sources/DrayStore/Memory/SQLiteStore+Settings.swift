// Settings that any process may change and runners apply while they run.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func setRateLimit(_ rate: Int64?, of id: JobID) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      // A patch with null removes the field (RFC 7396).
      try db.execute(
        sql: "UPDATE jobs SET options = json_patch(options, json_object('rateLimit', ?)) WHERE id = ?",
        arguments: [rate, id])
      return db.changesCount == 1
    }
  }

  func rateLimits(runner: UUID) async throws(Failure) -> [JobID: Int64] {
    try await access { db in
      let rows = try Row.fetchAll(
        db.cachedStatement(
          sql: "SELECT id, json_extract(options, '$.rateLimit') FROM jobs INDEXED BY jobs_runner WHERE runner = ?"),
        arguments: [runner.uuidString])
      return try rows.reduce(into: [:]) { limits, row in limits[try row[0]] = try row[1] as Int64? }
    }
  }

  func windows(runner: UUID) async throws(Failure) -> [JobID: TransferWindow] {
    try await access { db in
      let rows = try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT id, transfer_window FROM jobs INDEXED BY jobs_runner
            WHERE runner = ? AND transfer_window IS NOT NULL
            """),
        arguments: [runner.uuidString])
      return try rows.reduce(into: [:]) { windows, row in
        windows[try row[0]] = try? TransferWindow.parse(try row[1])
      }
    }
  }
}
