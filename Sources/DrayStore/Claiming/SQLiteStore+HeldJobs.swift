// Finds queued jobs that wait for holds.

import DrayCore
import SQLite

extension SQLiteStore {
  func heldJobs(scope: ClaimScope, now: Double) async throws(Failure) -> [HeldJobs] {
    try await access { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT \(HoldColumn.json.sqlite.text), count(*), min(jobs.id)
          FROM origins CROSS JOIN jobs INDEXED BY jobs_origin ON jobs.origin = origins.origin
          WHERE hold_until > :now AND held_at <= :now AND jobs.state = 'queued' AND \(scope.condition)
            AND NOT \(ClaimSearch.passes)
          GROUP BY origins.origin ORDER BY hold_until, origins.origin
          """,
        arguments: ["now": now])
      return try rows.map { try HeldJobs($0) }
    }
  }

  func interruptHeld(scope: ClaimScope, now: Double) async throws(Failure) -> [Job] {
    let held = """
      FROM origins CROSS JOIN jobs INDEXED BY jobs_origin ON jobs.origin = origins.origin
      WHERE hold_until > :now AND held_at <= :now AND jobs.state = 'queued' AND \(scope.condition)
        AND hold_until - :now > json_extract(jobs.options, '$.maxRetryWait')
        AND (start_at IS NULL OR start_at < hold_until) AND NOT \(ClaimSearch.passes)
      """
    let isAny = try await access { db in
      try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 \(held))", arguments: ["now": now]) ?? false
    }
    guard isAny else { return [] }
    return try await write(.durable) { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT jobs.id, \(HoldColumn.json.sqlite.text) \(held)", arguments: ["now": now])
      return try rows.compactMap { row in
        let hold = try JSONColumn<OriginHold>.value(try row[1] as String)
        guard var job = try SQLiteStore.jobs(db, ids: [try row[0]]).first else { return nil }
        job.endWait(for: hold, now: now)
        try db.cachedStatement(
          sql: "UPDATE jobs SET state = 'interrupted', not_before = ?, waiting_since = ?, failure = ? WHERE id = ?"
        ).execute(arguments: [hold.until, now, try job.failure.jsonText(), job.id])
        return job
      }
    }
  }
}
