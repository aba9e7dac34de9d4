// Changes the specifications of existing jobs (`dray set`), all of a call or none, and moves part files to another
// directory.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func change(_ changes: [JobRevision], runner: UUID?, now: Double) async throws(Failure) {
    try await write(.durable) { db in
      var requests = RequestColumn()
      var options = JSONColumn<JobOptions>()
      for change in changes {
        let job = try SQLiteStore.current(db, change, runner)
        let specification = change.specification
        let name = try SQLiteStore.name(db, change)
        var wanted = specification.options
        // The job is still being moved; `endMove` clears this.
        wanted.moving = job.specification.options.moving
        let starts = specification.startAt != change.before.specification.startAt
        var row = Arguments()
        let update = """
          UPDATE jobs SET request = \(row.bind(try requests.encode(specification.request))),
            options = \(row.bind(try options.encode(wanted))), directory = \(row.bind(specification.directory)),
            foreign_depth = \(row.bind(specification.foreignDepth)), output = \(row.bind(specification.output)),
            file_name = \(row.bind(name)), rank = iif(priority = \(row.bind(specification.priority)), rank, NULL),
            priority = \(row.bind(specification.priority)), start_at = \(row.bind(specification.startAt)),
            queue = \(row.bind(specification.queue)),
            transfer_window = \(row.bind(specification.window?.description)),
            waiting_since = iif(\(row.bind(starts)), iif(not_before IS NULL, NULL, waiting_since), waiting_since)
          WHERE id = \(row.bind(job.id))
          """
        try db.execute(sql: update, arguments: row.all)
        if starts, specification.startAt != nil {
          try db.execute(sql: "UPDATE jobs SET waiting_since = ? WHERE id = ?", arguments: [now, job.id])
        }
        if let after = change.after {
          try db.execute(sql: "DELETE FROM prerequisites WHERE job = ?", arguments: [job.id])
          try Prerequisites.add(db, existing: job.id, after: after)
        }
      }
    }
  }

  func beginMove(_ changes: [JobRevision], runner: UUID) async throws(Failure) {
    try await write(.durable) { db in
      for change in changes {
        let job = try SQLiteStore.current(db, change, nil)
        _ = try SQLiteStore.name(db, change)
        var options = job.specification.options
        options.moving = PartMove(
          from: job.specification.place, to: change.specification.place, state: job.state)
        // Record a pause in the command: the job stays paused even if this process dies.
        try db.execute(
          sql: """
            UPDATE jobs SET state = 'active', runner = ?, command = iif(state = 'paused', 'pause', NULL), options = ?
            WHERE id = ?
            """,
          arguments: [runner.uuidString, try JSONColumn.text(options), job.id])
      }
    }
  }

  func endMove(_ ids: [JobID], runner: UUID) async throws(Failure) {
    try await write(.durable) { db in
      for id in ids {
        let rows = try Row.fetchAll(
          db,
          sql: """
            UPDATE jobs SET state = CASE command WHEN 'pause' THEN 'paused' ELSE
                iif(json_extract(options, '$.moving.state') = 'interrupted', 'interrupted', 'queued') END,
              runner = NULL, command = NULL
            WHERE id = ? AND runner = ? AND (command IS NULL OR command = 'pause') RETURNING id
            """, arguments: [id, runner.uuidString])
        // Recovery handles the other jobs' commands.
        try SQLiteStore.clearMove(db, id, rows.isEmpty ? runner : nil)
      }
    }
  }

  func movedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job] {
    try await access { db in
      try runners.flatMap {
        try SQLiteStore.jobs(db, "runner = ? AND json_extract(options, '$.moving') IS NOT NULL", [$0.uuidString])
      }
    }
  }

  func recordMoveEnd(_ id: JobID, ofDeadRunner runner: UUID) async throws(Failure) {
    try await write(.durable) { db in try SQLiteStore.clearMove(db, id, runner) }
  }

  /// Clears the move in the record of a job.
  /// - Parameter runner: the holder of the job; `nil` for none.
  private static func clearMove(_ db: Database, _ id: JobID, _ runner: UUID?) throws {
    try db.execute(
      sql: "UPDATE jobs SET options = json_remove(options, '$.moving') WHERE id = ? AND runner IS ?",
      arguments: [id, runner?.uuidString])
  }

  /// Returns the current job of a change.
  /// - Parameter runner: a runner that may hold it.
  private static func current(_ db: Database, _ change: JobRevision, _ runner: UUID?) throws -> Job {
    let id = change.before.id
    guard let job = try jobs(db, "id = ?", [id]).first else {
      throw Failure(.usage, "job \(id)", "no such job", advice: "\(.list) shows all")
    }
    // Only the holder of a job changes it.
    if let runner, job.runner == runner { return job }
    if let objection = ChangeRule.objection(to: change, now: job) { throw objection }
    return job
  }

  /// Returns the name of the target after a change, which no other job may have.
  private static func name(_ db: Database, _ change: JobRevision) throws -> String? {
    let (specification, key, id) = (change.specification, change.specification.key, change.before.id)
    guard change.movesDirectory || change.changesServer || change.renames else { return change.fileName }
    if specification.request.isSafe,
      let same = try db.first(
        "SELECT hot.id, state FROM \(.jobs) WHERE \(isDownload(key)) AND hot.id <> \(id) AND \(Targets.unfinished) LIMIT 1"
      ),
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
