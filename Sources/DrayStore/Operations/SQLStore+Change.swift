// Changes the specifications of existing jobs (`dray set`), all jobs of a call or none, and moves part files to another
// directory.

internal import DrayCore

internal import struct FoundationEssentials.UUID

extension SQLStore {
  func change(_ changes: [JobRevision], runner: UUID?, now: Double) async throws(Failure) {
    let claims = runner.map { runner in changes.map { claim(of: $0.before.id, by: runner) } }
    try await transaction(.durable, for: runner) { db in
      try db.lock(.adding)
      var requests = RequestColumn()
      var options = JSONColumn<JobOptions>()
      for (index, change) in changes.enumerated() {
        let job = try Self.current(db, change, runner, claims?[index])
        let specification = change.specification
        let name = try Self.name(db, change)
        var wanted = specification.options
        // Keep the record of the move, because the move is still in progress; `endMove` removes the record.
        wanted.moving = job.specification.options.moving
        let starts = specification.startAt != change.before.specification.startAt
        let since: SQL =
          !starts
          ? "waiting_since"
          : specification.startAt != nil ? "\(now)" : "CASE WHEN not_before IS NULL THEN NULL ELSE waiting_since END"
        let set = Assignments(
          """
          \(SQL.placing(specification)), start_at = \(specification.startAt), waiting_since = \(since)
          """,
          jobs: """
            \(try SQL.assigning(specification.request, &requests)), \(SQL.assigning(options: try options.encode(wanted))),
            directory = \(specification.directory), foreign_depth = \(specification.foreignDepth),
            output = \(specification.output), file_name = \(name)
            """)
        try db.change(set, where: "hot.id = \(job.id)")
        if let after = change.after {
          try db.run("DELETE FROM prerequisites WHERE job = \(job.id)")
          try Prerequisites.add(db, existing: job.id, after: after)
        }
      }
    }
  }

  func beginMove(_ changes: [JobRevision], runner: UUID) async throws(Failure) {
    let fences = try await transaction(.durable, for: runner) { db in
      try db.lock(.adding)
      for change in changes {
        let job = try Self.current(db, change, nil, nil)
        _ = try Self.name(db, change)
        var options = job.specification.options
        options.moving = PartMove(from: job.specification.place, to: change.specification.place, state: job.state)
        // Record a pause in the pending command, so that the job stays paused even if this process dies.
        let set = Assignments(
          "command = CASE WHEN state = 'paused' THEN 'pause' END, state = 'active', runner = \(runner)",
          jobs: SQL.assigning(options: try JSONColumn.text(options)))
        try db.change(set, where: "hot.id = \(job.id)")
      }
      return try Self.giveFences(db, changes.map(\.before.id))
    }
    own(fences, runner)
  }

  func endMove(_ ids: [JobID], runner: UUID) async throws(Failure) {
    let claims = ids.map { claim(of: $0, by: runner) }
    let state: SQL =
      "\(sqlite: "json_extract(options, '$.moving.state')", postgres: "options #>> '{moving,state}'")"
    try await transaction(.durable, for: runner) { db in
      for (id, claim) in zip(ids, claims) {
        let isFree =
          try db.run(
            """
            UPDATE \(.hot) SET runner = NULL, command = NULL, state = CASE WHEN command = 'pause' THEN 'paused'
              WHEN (SELECT \(state) FROM jobs WHERE jobs.id = hot.id) = 'interrupted' THEN 'interrupted'
              ELSE 'queued' END
            WHERE \(claim) AND (command IS NULL OR command = 'pause')
            """) == 1
        // Leave other pending commands to recovery.
        try Self.clearMove(db, isFree ? "hot.id = \(id) AND hot.runner IS NULL" : claim)
      }
    }
    disown(ids, runner)
  }

  func movedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job] {
    try await use { db in
      try Self.jobs(db, where: "runner \(in: Array(runners)) AND \(.option("moving")) IS NOT NULL ORDER BY id")
    }
  }

  func recordMoveEnd(_ id: JobID, ofDeadRunner runner: UUID) async throws(Failure) {
    try await transaction(.durable) { db in
      try Self.clearMove(db, "hot.id = \(id) AND runner \(.isSame) \(runner)")
    }
  }

  /// Clears the record that a job's part file is being moved.
  private static func clearMove(_ db: Session, _ condition: SQL) throws {
    let options: SQL = "\(sqlite: "json_remove(options, '$.moving')", postgres: "options - 'moving'")"
    try db.change(Assignments(jobs: "options = \(options)"), where: condition)
  }

  /// Returns the job to change as it is now, locked until the end of the transaction.
  /// - Parameters:
  ///   - runner: A runner that may own the job.
  ///   - claim: The condition that this runner owns the job by the claim that this process knows.
  private static func current(_ db: Session, _ change: JobRevision, _ runner: UUID?, _ claim: SQL?) throws -> Job {
    let id = change.before.id
    guard let job = try lockedJob(db, id) else {
      throw Failure(.usage, "job \(id)", "no such job", advice: "\(.list) shows all")
    }
    // Only the owner of a job may change it.
    if let claim, job.runner == runner, try db.isTrue("SELECT EXISTS (SELECT 1 FROM \(.hot) WHERE \(claim))") {
      return job
    }
    if let objection = ChangeRule.objection(to: change, now: job) { throw objection }
    return job
  }

  /// Returns the target's name after a change, after checking that no other job has this target.
  private static func name(_ db: Session, _ change: JobRevision) throws -> String? {
    let (specification, id) = (change.specification, change.before.id)
    guard change.movesDirectory || change.changesServer || change.renames else { return change.fileName }
    if specification.request.isSafe,
      let same = try db.first(
        """
        SELECT hot.id, state FROM \(.jobs)
        WHERE \(isDownload(specification.key)) AND hot.id <> \(id) AND \(Targets.unfinished) LIMIT 1
        """),
      let state = JobState(rawValue: try same[1])
    {
      throw TargetClash(job: try same[0], state: state, wasSubmitted: false)
        .failure(change.fileName.map { PathText.join(specification.directory, $0) } ?? specification.directory)
    }
    return try change.fileName.map { name in
      try db.freeName(
        name, in: specification.directory, at: specification.targetServer, policy: specification.options.onConflict,
        besides: id)
    }
  }
}
