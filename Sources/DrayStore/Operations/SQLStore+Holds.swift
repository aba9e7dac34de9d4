// Holds on origins, and passes. All runners respect a hold; a pass lets a job send one request despite it.

internal import DrayCore

extension SQLStore {
  func hold(_ hold: OriginHold) async throws(Failure) {
    try await transaction(.lazy) { db in
      let future = hold.since + Self.clockDifference
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
        "SELECT \(HoldColumn.json) FROM origins WHERE \(Self.isInForce(now)) ORDER BY hold_until, origin",
        as: String.self
      ).map { try JSONColumn<OriginHold>.value($0) }
    }
  }

  func endHolds(of origins: [String]) async throws(Failure) {
    try await transaction(.durable) { db in
      try db.run("DELETE FROM origins WHERE origin \(in: origins)")
      try db.run(
        """
        UPDATE \(.hot) SET not_before = NULL, waiting_since = CASE WHEN start_at IS NULL THEN NULL ELSE waiting_since END
        WHERE origin \(in: origins) AND not_before IS NOT NULL AND state IN ('queued', 'interrupted')
        """)
    }
  }

  func askAtOnce(_ ids: [JobID], now: Double) async throws(Failure) -> [HeldJobs] {
    let chosen: SQL = "hot.id \(in: ids) AND hot.state IN ('queued', 'interrupted')"
    let isWaiting = try await use { db in
      try db.isTrue(
        """
        SELECT EXISTS (SELECT 1 FROM origins)
          OR EXISTS (SELECT 1 FROM \(.hot) WHERE \(chosen) AND not_before IS NOT NULL)
        """)
    }
    guard isWaiting else { return [] }
    return try await transaction(.durable) { db in
      try db.run(
        """
        UPDATE \(.hot) SET not_before = NULL, waiting_since = CASE WHEN start_at IS NULL THEN NULL ELSE waiting_since END
        WHERE \(chosen) AND not_before IS NOT NULL
        """)
      let rows = try db.rows(
        """
        SELECT min(\(HoldColumn.json)), count(*), min(hot.id)
        FROM \(.hot) JOIN origins ON origins.origin = hot.origin
        WHERE \(chosen) AND \(Self.isInForce(now))
        GROUP BY origins.origin, hold_until ORDER BY hold_until, origins.origin
        """)
      try Self.givePass(db, where: chosen)
      return try rows.map { try HeldJobs($0) }
    }
  }

  /// Gives passes to jobs.
  static func givePass(_ db: Session, where condition: SQL) throws {
    try db.run(
      """
      INSERT INTO hold_passes (job, held_at, hold)
      SELECT hot.id, origins.held_at, \(HoldColumn.json) FROM \(.hot) JOIN origins ON origins.origin = hot.origin
      WHERE \(condition)
      ON CONFLICT (job) DO UPDATE SET held_at = excluded.held_at, hold = excluded.hold
      """)
  }

  /// After a good answer, ends the hold for which the job had a pass.
  static func endHold(_ db: Session, passedBy id: JobID) throws {
    try db.run("DELETE FROM origins WHERE held_at = (SELECT hold_passes.held_at FROM hold_passes WHERE job = \(id))")
  }

  /// A condition that a row of `origins` is a hold in force.
  static func isInForce(_ now: Double) -> SQL { "hold_until > \(now) AND held_at <= \(now + clockDifference)" }

  // MARK: Jobs that wait for holds

  /// Selects the jobs that wait for holds, with their holds.
  private static func heldJobs(_ scope: ClaimScope, _ now: Double) -> SQL {
    """
    \(sqlite: "origins CROSS JOIN jobs INDEXED BY jobs_origin ON jobs.origin = origins.origin",
      postgres: "origins JOIN hot ON hot.origin = origins.origin JOIN jobs ON jobs.id = hot.id")
    WHERE \(isInForce(now)) AND state = 'queued' AND \(condition(of: scope)) AND NOT \(HoldColumn.passes)
    """
  }

  func heldJobs(scope: ClaimScope, now: Double) async throws(Failure) -> [HeldJobs] {
    try await use { db in
      try db.rows(
        """
        SELECT min(\(HoldColumn.json)), count(*), min(jobs.id) FROM \(Self.heldJobs(scope, now))
        GROUP BY origins.origin, hold_until ORDER BY hold_until, origins.origin
        """
      ).map { try HeldJobs($0) }
    }
  }

  func interruptHeld(scope: ClaimScope, now: Double) async throws(Failure) -> [Job] {
    let wait: SQL = "\(.option("maxRetryWait"))\(postgres: "::float8")"
    let held: SQL = """
      \(Self.heldJobs(scope, now)) AND hold_until - \(now) > \(wait) AND (start_at IS NULL OR start_at < hold_until)
      """
    guard try await use({ db in try db.isTrue("SELECT EXISTS (SELECT 1 FROM \(held))") }) else { return [] }
    return try await transaction(.durable) { db in
      // Skip rows that another program is just claiming.
      let skips: SQL = "\(postgres: "FOR UPDATE OF hot SKIP LOCKED")"
      let rows = try db.rows("SELECT jobs.id, \(HoldColumn.json) FROM \(held) \(skips)")
      let holds = try rows.reduce(into: [JobID: OriginHold]()) { holds, row in
        holds[try row[0]] = try JSONColumn<OriginHold>.value(try row[1] as String)
      }
      return try Self.jobs(db, ids: holds.keys.sorted()).compactMap { job in
        guard let hold = holds[job.id] else { return nil }
        var job = job
        job.endWait(for: hold, now: now)
        let set = Assignments(
          "state = 'interrupted', not_before = \(hold.until), waiting_since = \(now)",
          jobs: "failure = \(try job.failure.jsonText())")
        try db.change(set, where: "hot.id = \(job.id)")
        return job
      }
    }
  }
}

extension HeldJobs {
  /// Reads a hold, the number of jobs that wait for it, and the first of these jobs.
  init(_ row: some SelectedRow) throws {
    self.init(hold: try JSONColumn<OriginHold>.value(try row[0]), count: try row[1], first: try row[2])
  }
}

enum HoldColumn {
  /// A row of `origins` as the JSON of an ``OriginHold``.
  static let json: SQL = """
    \(sqlite: "json_object(", postgres: "json_build_object(")'origin', origins.origin, 'until', origins.hold_until,
      'since', origins.held_at, 'job', origins.job, 'askedBy', origins.asked_by, 'status', origins.status)\
    \(postgres: "::text")
    """

  /// A condition that a job may send a request despite the hold on its origin; for rows of SQLite's `jobs` and of
  /// PostgreSQL's `hot`.
  static let passes: SQL = """
    EXISTS (
      SELECT 1 FROM hold_passes JOIN origins AS passed ON passed.held_at = hold_passes.held_at
      WHERE hold_passes.job = \(row).id AND passed.origin = \(row).origin)
    """
  private static let row: SQL = "\(sqlite: "jobs", postgres: "hot")"
}
