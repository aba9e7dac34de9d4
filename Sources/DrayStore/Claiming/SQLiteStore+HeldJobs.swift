// Finds queued jobs that wait for holds, and gives jobs a pass to ask once despite them.

import DrayCore
import SQLite

extension SQLiteStore {
  func heldJobs(scope: ClaimScope, now: Double) async throws(Failure) -> [HeldJobs] {
    try await access { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT \(SQLiteStore.holdJSON), count(*), min(jobs.id)
          FROM origins CROSS JOIN jobs INDEXED BY jobs_origin ON jobs.origin = origins.origin
          WHERE hold_until > :now AND held_at <= :now AND jobs.state = 'queued' AND \(scope.condition)
            AND NOT \(ClaimSearch.passes)
          GROUP BY origins.origin ORDER BY hold_until, origins.origin
          """,
        arguments: ["now": now])
      return try rows.map { row in
        HeldJobs(hold: try JSONColumn<OriginHold>.value(try row[0]), count: try row[1], first: try row[2])
      }
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
      let rows = try Row.fetchAll(db, sql: "SELECT jobs.id, \(SQLiteStore.holdJSON) \(held)", arguments: ["now": now])
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

  func askAtOnce(_ ids: [JobID], now: Double) async throws(Failure) -> [HeldJobs] {
    let list = "[\(ids.map { "\($0)" }.joined(separator: ","))]"
    let chosen = "jobs.id IN (SELECT value FROM json_each(:ids)) AND jobs.state IN ('queued', 'interrupted')"
    let isWaiting = try await access { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM origins) OR EXISTS (SELECT 1 FROM jobs WHERE \(chosen) AND not_before IS NOT NULL)
          """, arguments: ["ids": list]) ?? false
    }
    guard isWaiting else { return [] }
    return try await write(.durable) { db in
      try db.execute(
        sql: """
          UPDATE jobs SET not_before = NULL, waiting_since = iif(start_at IS NULL, NULL, waiting_since)
          WHERE \(chosen) AND not_before IS NOT NULL
          """, arguments: ["ids": list])
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT \(SQLiteStore.holdJSON), count(*), min(jobs.id) FROM jobs JOIN origins ON origins.origin = jobs.origin
          WHERE \(chosen) AND hold_until > :now AND held_at <= :now
          GROUP BY origins.origin ORDER BY hold_until, origins.origin
          """, arguments: ["ids": list, "now": now])
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO hold_passes (job, held_at, hold)
          SELECT jobs.id, origins.held_at, \(SQLiteStore.holdJSON) FROM jobs JOIN origins ON origins.origin = jobs.origin
          WHERE \(chosen)
          """, arguments: ["ids": list])
      return try rows.map { row in
        HeldJobs(hold: try JSONColumn<OriginHold>.value(try row[0]), count: try row[1], first: try row[2])
      }
    }
  }
}
