// Holds on origins: the job that was refused, the end, and the passes of jobs that ask once in spite of them.

package import DrayCore
import SQLite

extension JobStore {
  /// Keeps the jobs of an origin from being claimed, as its server asked (RFC 9110 §10.2.3). A longer hold stays,
  /// unless the refused job had a pass: then the newest answer counts. Lazy.
  package func hold(_ hold: OriginHold) throws(Failure) {
    try write(.lazy) { db in
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

  /// The holds in force, ordered by their ends.
  package func holds(now: Double) throws(Failure) -> [OriginHold] {
    try access { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT \(JobStore.holdJSON) FROM origins WHERE hold_until > :now AND held_at <= :now ORDER BY hold_until, origin
          """,
        arguments: ["now": now]
      ).map { try JSONColumn<OriginHold>.value($0) }
    }
  }

  /// Ends holds: their origins' jobs no longer wait, neither for the hold nor for a retry. Durable.
  /// - Parameter origins: in the form of ``OriginHold/origin``.
  package func endHolds(of origins: [String]) throws(Failure) {
    try write(.durable) { db in
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

  /// Lets a job ask once in spite of its origin's hold.
  static func pass(_ db: Database, _ id: JobID) throws {
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO hold_passes (job, held_at, hold)
        SELECT jobs.id, origins.held_at, \(holdJSON) FROM jobs JOIN origins ON origins.origin = jobs.origin
        WHERE jobs.id = ?
        """
    ).execute(arguments: [id])
  }

  /// Ends the hold for which a job had a pass, after a good answer. Lazy.
  func endHold(passedBy id: JobID) throws(Failure) {
    let hasPass = try access { db in
      try Bool.fetchOne(
        db.cachedStatement(
          sql: "SELECT EXISTS (SELECT 1 FROM hold_passes JOIN origins USING (held_at) WHERE hold_passes.job = ?)"),
        arguments: [id]) ?? false
    }
    guard hasPass else { return }
    try write(.lazy) { db in
      try db.execute(
        sql: "DELETE FROM origins WHERE held_at = (SELECT hold_passes.held_at FROM hold_passes WHERE job = ?)",
        arguments: [id])
    }
  }

  /// A row of `origins` as the JSON of an ``OriginHold``.
  static let holdJSON = """
    json_object('origin', origins.origin, 'until', origins.hold_until, 'since', origins.held_at, 'job', origins.job,
      'askedBy', origins.asked_by, 'status', origins.status)
    """
}
