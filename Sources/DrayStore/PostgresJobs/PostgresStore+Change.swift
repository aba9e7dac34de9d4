// Changes the specifications of existing jobs of the fleet (`dray set`), all of a call or none, and moves part files to
// another directory.

import DrayCore
import Postgres

import struct FoundationEssentials.UUID

extension PostgresStore {
  func change(_ changes: [JobRevision], runner: UUID?, now: Double) async throws(Failure) {
    let fences = runner.map { held.fences(of: changes.map(\.before.id), runner: $0) }
    try await write(.durable, for: runner) { db in
      try db.lock(.adding)
      var requests = RequestColumn()
      var options = JSONColumn<JobOptions>()
      for (index, change) in changes.enumerated() {
        let job = try PostgresStore.current(db, change, runner, fences?[index] ?? 0)
        let specification = change.specification
        let name = try PostgresStore.name(db, change)
        var wanted = specification.options
        // The job is still being moved; `endMove` clears this.
        wanted.moving = job.specification.options.moving
        let starts = specification.startAt != change.before.specification.startAt
        let since: SQL =
          !starts
          ? "waiting_since"
          : specification.startAt != nil ? "\(now)" : "CASE WHEN not_before IS NULL THEN NULL ELSE waiting_since END"
        let request = specification.request
        try db.all([
          """
          UPDATE jobs SET request = \(try requests.encode(request)), is_safe = \(request.isSafe),
            body = \(request.body?.name), options = \(try options.encode(wanted))::jsonb,
            directory = \(specification.directory), foreign_depth = \(specification.foreignDepth),
            output = \(specification.output), file_name = \(name)
          WHERE id = \(job.id)
          """,
          """
          UPDATE hot SET rank = CASE WHEN priority = \(specification.priority) THEN rank END,
            priority = \(specification.priority), start_at = \(specification.startAt), queue = \(specification.queue),
            transfer_window = \(specification.window?.description), waiting_since = \(since)
          WHERE id = \(job.id)
          """,
        ])
        if let after = change.after {
          try db.run("DELETE FROM prerequisites WHERE job = \(job.id)")
          try Prerequisites.add(db, existing: job.id, after: after)
        }
      }
    }
  }

  func beginMove(_ changes: [JobRevision], runner: UUID) async throws(Failure) {
    let fences = try await write(.durable, for: runner) { db in
      try db.lock(.adding)
      for change in changes {
        let job = try PostgresStore.current(db, change, nil, 0)
        _ = try PostgresStore.name(db, change)
        var options = job.specification.options
        options.moving = PartMove(
          from: job.specification.place, to: change.specification.place, state: job.state)
        // Record a pause in the command: the job stays paused even if this process dies.
        try db.all([
          "UPDATE jobs SET options = \(try JSONColumn.text(options))::jsonb WHERE id = \(job.id)",
          """
          UPDATE hot SET command = CASE WHEN state = 'paused' THEN 'pause' END, state = 'active', runner = \(runner)
          WHERE id = \(job.id)
          """,
        ])
      }
      return try PostgresStore.giveFences(db, changes.map(\.before.id))
    }
    for (id, fence) in fences { held.record(fence, of: id, runner: runner) }
  }

  func endMove(_ ids: [JobID], runner: UUID) async throws(Failure) {
    let claims = ids.map { held.condition($0, runner) }
    try await write(.durable, for: runner) { db in
      for (id, claim) in zip(ids, claims) {
        let isFree =
          try db.run(
            """
            UPDATE hot SET runner = NULL, command = NULL, state = CASE WHEN command = 'pause' THEN 'paused'
              WHEN (SELECT options #>> '{moving,state}' FROM jobs WHERE jobs.id = hot.id) = 'interrupted' THEN 'interrupted'
              ELSE 'queued' END
            WHERE \(claim) AND (command IS NULL OR command = 'pause')
            """) == 1
        // Recovery handles the other jobs' commands.
        try PostgresStore.clearMove(
          db, id, isFree ? "hot.id = \(id) AND hot.runner IS NULL" : claim)
      }
    }
    held.forget(ids, runner: runner)
  }

  func movedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job] {
    try await access { db in
      try PostgresStore.jobs(db, where: "runner = ANY(\(Array(runners))) AND options ? 'moving' ORDER BY id")
    }
  }

  func recordMoveEnd(_ id: JobID, ofDeadRunner runner: UUID) async throws(Failure) {
    try await write(.durable) { db in
      try PostgresStore.clearMove(db, id, "hot.id = \(id) AND \(OwnedJobs.isOwner(runner))")
    }
  }

  /// Clears the move in the record of a job.
  private static func clearMove(_ db: FleetSession, _ id: JobID, _ condition: SQL) throws {
    try db.run(
      "UPDATE jobs SET options = options - 'moving' FROM hot WHERE jobs.id = \(id) AND hot.id = jobs.id AND \(condition)"
    )
  }

  /// Returns the current job of a change, which stays as it is until the end of the transaction.
  /// - Parameters:
  ///   - runner: a runner that may hold it.
  ///   - fence: its claim; 0 if it is not known.
  private static func current(
    _ db: FleetSession, _ change: JobRevision, _ runner: UUID?, _ fence: Int64
  ) throws -> Job {
    let id = change.before.id
    guard let job = try lockedJob(db, id) else {
      throw Failure(.usage, "job \(id)", "no such job", advice: "\(.list) shows all")
    }
    // Only the holder of a job changes it.
    if let runner, job.runner == runner {
      if fence == 0 { return job }
      if try db.isTrue("SELECT fence = \(fence) FROM hot WHERE id = \(id)") { return job }
    }
    if let objection = ChangeRule.objection(to: change, now: job) { throw objection }
    return job
  }

  /// Returns the name of the target after a change, which no other job may have.
  private static func name(_ db: FleetSession, _ change: JobRevision) throws -> String? {
    let (specification, key, id) = (change.specification, change.specification.key, change.before.id)
    guard change.movesDirectory || change.changesServer || change.renames else { return change.fileName }
    if specification.request.isSafe,
      let same = try db.first(
        """
        SELECT jobs.id, state FROM jobs JOIN hot ON hot.id = jobs.id
        WHERE url = \(key.url) AND \(ServerColumn.source) = \(key.source) AND directory = \(key.directory)
          AND \(ServerColumn.target) = \(key.target)
          AND output IS NOT DISTINCT FROM \(key.output) AND jobs.id <> \(id)
          AND \(Targets.unfinished) AND is_safe LIMIT 1
        """),
      let state = JobState(rawValue: try same[1])
    {
      throw TargetClash(job: try same[0], state: state, wasSubmitted: false)
        .failure(change.fileName.map { PathText.join(specification.directory, $0) } ?? specification.directory)
    }
    return try change.fileName.map { name in
      try Targets.free(
        name, in: specification.directory, at: specification.targetServer, policy: specification.options.onConflict,
        besides: id, db: db)
    }
  }
}
