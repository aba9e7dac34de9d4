// Finds queued jobs that wait for holds.

import DrayCore
import Postgres

extension PostgresStore {
  func heldJobs(scope: ClaimScope, now: Double) async throws(Failure) -> [HeldJobs] {
    try await access { db in
      try db.rows(
        """
        SELECT min(\(HoldColumn.json)), count(*), min(hot.id)
        FROM origins JOIN hot ON hot.origin = origins.origin
        WHERE \(PostgresStore.isInForce(now)) AND hot.state = 'queued' AND \(scope.fleetCondition)
          AND NOT \(PostgresStore.passes)
        GROUP BY origins.origin, hold_until ORDER BY hold_until, origins.origin
        """
      ).map { try HeldJobs($0) }
    }
  }

  func interruptHeld(scope: ClaimScope, now: Double) async throws(Failure) -> [Job] {
    let held: SQL = """
      FROM origins JOIN hot ON hot.origin = origins.origin JOIN jobs ON jobs.id = hot.id
      WHERE \(PostgresStore.isInForce(now)) AND hot.state = 'queued' AND \(scope.fleetCondition)
        AND hold_until - \(now) > (options ->> 'maxRetryWait')::float8
        AND (start_at IS NULL OR start_at < hold_until) AND NOT \(PostgresStore.passes)
      """
    guard try await access({ db in try db.isTrue("SELECT EXISTS (SELECT 1 \(held))") }) else { return [] }
    return try await write(.durable) { db in
      // Rows that another program claims at this moment are left to it.
      let rows = try db.rows("SELECT hot.id, \(HoldColumn.json) \(held) FOR UPDATE OF hot SKIP LOCKED")
      let holds = try rows.reduce(into: [JobID: OriginHold]()) { holds, row in
        holds[try row[0]] = try JSONColumn<OriginHold>.value(try row[1] as String)
      }
      return try PostgresStore.jobs(db, ids: holds.keys.sorted()).compactMap { job in
        guard let hold = holds[job.id] else { return nil }
        var job = job
        job.endWait(for: hold, now: now)
        try db.run(
          "UPDATE hot SET state = 'interrupted', not_before = \(hold.until), waiting_since = \(now) WHERE id = \(job.id)"
        )
        try db.run("UPDATE jobs SET failure = \(try job.failure.jsonText()) WHERE id = \(job.id)")
        return job
      }
    }
  }

  /// Whether a job, a row of `hot`, may ask once despite the hold on its origin.
  static let passes: SQL = """
    EXISTS (
      SELECT 1 FROM hold_passes JOIN origins AS passed ON passed.held_at = hold_passes.held_at
      WHERE hold_passes.job = hot.id AND passed.origin = hot.origin)
    """
}
