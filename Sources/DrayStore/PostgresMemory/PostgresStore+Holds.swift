// Holds on origins, which all runners of the fleet keep, and the passes of jobs that may ask once despite them.

import DrayCore
import Postgres

extension PostgresStore {
  /// Seconds by which two programs of a fleet may differ about the database's clock, which they know as well as a round
  /// trip proves it. What was recorded later than that was recorded before the clock was set back.
  static let clockDifference = 5.0

  /// Returns the time of a call, whose row another call may have written since: time does not go back between them,
  /// unless the clock was set back.
  static func moment(_ now: Double, after recorded: Double?) -> Double {
    guard let recorded, recorded - now < clockDifference else { return now }
    return max(now, recorded)
  }

  func hold(_ hold: OriginHold) async throws(Failure) {
    try await write(.lazy) { db in
      let future = hold.since + PostgresStore.clockDifference
      try db.run("DELETE FROM origins WHERE hold_until <= \(hold.since) OR held_at > \(future)")
      try db.run(
        """
        INSERT INTO origins (origin, hold_until, held_at, job, asked_by, status)
        VALUES (\(hold.origin), \(hold.until), \(hold.since), \(hold.job), \(hold.askedBy), \(hold.status))
        ON CONFLICT (origin) DO UPDATE SET
          hold_until = excluded.hold_until, held_at = excluded.held_at, job = excluded.job,
          asked_by = excluded.asked_by, status = excluded.status
        WHERE excluded.hold_until > origins.hold_until
          OR origins.held_at = (SELECT hold_passes.held_at FROM hold_passes WHERE hold_passes.job = excluded.job)
        """)
    }
  }

  func holds(now: Double) async throws(Failure) -> [OriginHold] {
    try await look { db in
      try db.values(
        """
        SELECT \(PostgresStore.holdJSON) FROM origins WHERE \(PostgresStore.isInForce(now)) ORDER BY hold_until, origin
        """, as: String.self
      ).map { try JSONColumn<OriginHold>.value($0) }
    }
  }

  func endHolds(of origins: [String]) async throws(Failure) {
    try await write(.durable) { db in
      try db.run("DELETE FROM origins WHERE origin = ANY(\(origins))")
      try db.run(
        """
        UPDATE hot SET not_before = NULL, waiting_since = CASE WHEN start_at IS NULL THEN NULL ELSE waiting_since END
        WHERE origin = ANY(\(origins)) AND not_before IS NOT NULL AND state IN ('queued', 'interrupted')
        """)
    }
  }

  func heldJobs(scope: ClaimScope, now: Double) async throws(Failure) -> [HeldJobs] {
    try await access { db in
      try db.rows(
        """
        SELECT min(\(PostgresStore.holdJSON)), count(*), min(hot.id)
        FROM origins JOIN hot ON hot.origin = origins.origin
        WHERE \(PostgresStore.isInForce(now)) AND hot.state = 'queued' AND \(scope.fleetCondition)
          AND NOT \(PostgresStore.passes)
        GROUP BY origins.origin, hold_until ORDER BY hold_until, origins.origin
        """
      ).map { try PostgresStore.held($0) }
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
      let rows = try db.rows("SELECT hot.id, \(PostgresStore.holdJSON) \(held) FOR UPDATE OF hot SKIP LOCKED")
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

  func askAtOnce(_ ids: [JobID], now: Double) async throws(Failure) -> [HeldJobs] {
    let chosen: SQL = "hot.id = ANY(\(ids)) AND hot.state IN ('queued', 'interrupted')"
    let isWaiting = try await access { db in
      try db.isTrue(
        """
        SELECT EXISTS (SELECT 1 FROM origins) OR EXISTS (SELECT 1 FROM hot WHERE \(chosen) AND not_before IS NOT NULL)
        """)
    }
    guard isWaiting else { return [] }
    return try await write(.durable) { db in
      try db.run(
        """
        UPDATE hot SET not_before = NULL, waiting_since = CASE WHEN start_at IS NULL THEN NULL ELSE waiting_since END
        WHERE \(chosen) AND not_before IS NOT NULL
        """)
      let rows = try db.rows(
        """
        SELECT min(\(PostgresStore.holdJSON)), count(*), min(hot.id)
        FROM hot JOIN origins ON origins.origin = hot.origin
        WHERE \(chosen) AND \(PostgresStore.isInForce(now))
        GROUP BY origins.origin, hold_until ORDER BY hold_until, origins.origin
        """)
      try PostgresStore.pass(db, where: chosen)
      return try rows.map { try PostgresStore.held($0) }
    }
  }

  private static func held(_ row: PostgresRow) throws -> HeldJobs {
    HeldJobs(hold: try JSONColumn<OriginHold>.value(try row[0]), count: try row[1], first: try row[2])
  }

  /// Lets jobs ask once despite their origins' holds.
  static func pass(_ db: FleetSession, where condition: SQL) throws(PostgresError) {
    try db.run(
      """
      INSERT INTO hold_passes (job, held_at, hold)
      SELECT hot.id, origins.held_at, \(holdJSON) FROM hot JOIN origins ON origins.origin = hot.origin
      WHERE \(condition)
      ON CONFLICT (job) DO UPDATE SET held_at = excluded.held_at, hold = excluded.hold
      """)
  }

  /// Ends the hold that a job had a pass for, after a good answer.
  static func endHold(_ db: FleetSession, passedBy id: JobID) throws(PostgresError) {
    try db.run(
      "DELETE FROM origins WHERE held_at = (SELECT hold_passes.held_at FROM hold_passes WHERE job = \(id))")
  }

  /// Whether a job, a row of `hot`, may ask once despite the hold on its origin.
  static let passes: SQL = """
    EXISTS (
      SELECT 1 FROM hold_passes JOIN origins AS passed ON passed.held_at = hold_passes.held_at
      WHERE hold_passes.job = hot.id AND passed.origin = hot.origin)
    """

  /// Whether a hold, a row of `origins`, is in force.
  static func isInForce(_ now: Double) -> SQL { "hold_until > \(now) AND held_at <= \(now + clockDifference)" }

  /// A row of `origins` as the JSON of an ``OriginHold``.
  static let holdJSON: SQL = """
    json_build_object('origin', origins.origin, 'until', origins.hold_until, 'since', origins.held_at,
      'job', origins.job, 'askedBy', origins.asked_by, 'status', origins.status)::text
    """
}
