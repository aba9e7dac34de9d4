// Finds jobs by number, UUID or URL, and counts them.

#if Postgres

internal import DrayCore
internal import Postgres

internal import struct FoundationEssentials.UUID

extension PostgresStore {
  /// Combines the rows of `tallies` if there are many; several programs may do this at the same time.
  static func foldTallies(_ db: FleetSession) throws(PostgresError) {
    try db.run(
      """
      WITH few AS (SELECT ctid FROM tallies LIMIT 20000 FOR UPDATE SKIP LOCKED),
        gone AS (DELETE FROM tallies WHERE ctid = ANY(ARRAY(SELECT ctid FROM few)) RETURNING queue, state, jobs)
      INSERT INTO tallies SELECT queue, state, sum(jobs) FROM gone GROUP BY 1, 2 HAVING sum(jobs) <> 0
      """)
  }

  func present(among states: Set<JobState>) async throws(Failure) -> Set<JobState> {
    try await look { db in
      Set(
        try db.values(
          """
          SELECT state FROM tallies WHERE state = ANY(\(states.texts)) GROUP BY state HAVING sum(jobs) > 0
          """, as: String.self
        ).compactMap(JobState.init(rawValue:)))
    }
  }

  // MARK: History

  func endedAttempts(after mark: Int64) async throws(Failure) -> (last: Int64, jobs: [JobID: Int]) {
    guard let before = marks[mark] else {
      let now = try await look { db in try db.value("SELECT pg_current_snapshot()::text", as: String.self) }
      return (marks.add(now ?? ""), [:])
    }
    let (now, jobs) = try await look { db in
      var (now, jobs): (String, [JobID: Int]) = (before, [:])
      // The index finds the attempts since the oldest transaction that was in progress at the mark. Rows from a
      // restored dump have transaction numbers of another server. Such rows do not count as new, whatever their numbers
      // mean on this server.
      let rows = try db.rows(
        """
        SELECT pg_current_snapshot()::text, job, count(*) FROM attempts
        WHERE xid >= pg_snapshot_xmin(\(before)::pg_snapshot) AND xid < pg_snapshot_xmax(pg_current_snapshot())
          AND NOT pg_visible_in_snapshot(xid, \(before)::pg_snapshot) AND attempts.xmin = xid::xid
        GROUP BY job
        """)
      for row in rows {
        now = try row[0]
        jobs[try row[1]] = try row[2] as Int
      }
      return (now, jobs)
    }
    return (jobs.isEmpty ? mark : marks.add(now), jobs)
  }
}

#endif
