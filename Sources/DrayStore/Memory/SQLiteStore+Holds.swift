// Holds on origins, and the passes of jobs that may ask once despite them.

import DrayCore
import SQLite

extension SQLiteStore {
  func hold(_ hold: OriginHold) async throws(Failure) {
    try await write(.lazy) { db in
      try db.execute(
        sql: "DELETE FROM origins WHERE hold_until <= ? OR held_at > ?", arguments: [hold.since, hold.since])
      try db.execute(
        sql: """
          INSERT INTO origins (origin, hold_until, held_at, job, asked_by, status)
          VALUES (:origin, :until, :since, :job, :askedBy, :status)
          ON CONFLICT (origin) DO UPDATE SET
            hold_until = excluded.hold_until, held_at = excluded.held_at, job = excluded.job,
            asked_by = excluded.asked_by, status = excluded.status
          WHERE excluded.hold_until > origins.hold_until
            OR origins.held_at = (SELECT hold_passes.held_at FROM hold_passes WHERE hold_passes.job = excluded.job)
          """,
        arguments: [
          "origin": hold.origin, "until": hold.until, "since": hold.since, "job": hold.job, "askedBy": hold.askedBy,
          "status": hold.status,
        ])
    }
  }

  func holds(now: Double) async throws(Failure) -> [OriginHold] {
    try await look { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT \(SQLiteStore.holdJSON) FROM origins WHERE hold_until > :now AND held_at <= :now ORDER BY hold_until, origin
          """,
        arguments: ["now": now]
      ).map { try JSONColumn<OriginHold>.value($0) }
    }
  }

  func endHolds(of origins: [String]) async throws(Failure) {
    try await write(.durable) { db in
      for origin in origins {
        try db.execute(sql: "DELETE FROM origins WHERE origin = ?", arguments: [origin])
        try db.execute(
          sql: """
            UPDATE jobs SET not_before = NULL, waiting_since = iif(start_at IS NULL, NULL, waiting_since)
            WHERE origin = ? AND not_before IS NOT NULL AND state IN ('queued', 'interrupted')
            """, arguments: [origin])
      }
    }
  }

  /// Lets a job ask once despite its origin's hold.
  static func pass(_ db: Database, _ id: JobID) throws {
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO hold_passes (job, held_at, hold)
        SELECT jobs.id, origins.held_at, \(holdJSON) FROM jobs JOIN origins ON origins.origin = jobs.origin
        WHERE jobs.id = ?
        """
    ).execute(arguments: [id])
  }

  /// Ends the hold that a job had a pass for, after a good answer.
  static func endHold(_ db: Database, passedBy id: JobID) throws {
    try db.cachedStatement(
      sql: "DELETE FROM origins WHERE held_at = (SELECT hold_passes.held_at FROM hold_passes WHERE job = ?)"
    ).execute(arguments: [id])
  }

  /// A row of `origins` as the JSON of an ``OriginHold``.
  static let holdJSON = """
    json_object('origin', origins.origin, 'until', origins.hold_until, 'since', origins.held_at, 'job', origins.job,
      'askedBy', origins.asked_by, 'status', origins.status)
    """
}
