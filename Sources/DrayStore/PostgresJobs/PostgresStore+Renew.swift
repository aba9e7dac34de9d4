// Changes the request and options of a job of the fleet when its user requests the same download again, checks complete
// jobs again, and repairs published files.

import DrayCore
import Postgres

import struct FoundationEssentials.UUID

extension PostgresStore {
  func renew(_ id: JobID, with specification: JobSpecification) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      guard let job = try PostgresStore.lockedJob(db, id) else { return false }
      var specification = specification
      let before = try PostgresStore.options(db, id)
      specification.options = specification.options.keepingAdoption(of: before)
      if job.state != .complete, try db.isTrue("SELECT \(raw: FleetSums.isRepair("hot")) FROM hot WHERE id = \(id)") {
        specification.options = specification.options.keepingRepair(of: before)
      }
      return try PostgresStore.renew(db, id, specification, where: "state IN ('queued', 'interrupted', 'paused')")
    }
  }

  /// Returns a job's options as they are stored.
  private static func options(_ db: FleetSession, _ id: JobID) throws -> JobOptions {
    let text = try db.value("SELECT options::text FROM jobs WHERE id = \(id)", as: String.self)
    return try text.map { try JSONColumn<JobOptions>.value($0) } ?? JobOptions()
  }

  /// Sets the request and options of a job whose row of `hot` meets `condition`.
  /// - Returns: whether it does.
  static func renew(
    _ db: FleetSession, _ id: JobID, _ specification: JobSpecification, where condition: SQL
  ) throws -> Bool {
    var requests = RequestColumn()
    let request = specification.request
    return try db.run(
      """
      WITH renewed AS (
        UPDATE hot SET
          priority = CASE WHEN \(specification.priority) = 0 THEN priority ELSE \(specification.priority) END,
          queue = coalesce(\(specification.queue), queue),
          transfer_window = coalesce(\(specification.window?.description), transfer_window)
        WHERE hot.id = \(id) AND \(condition)
          AND EXISTS (SELECT 1 FROM jobs WHERE jobs.id = hot.id AND url = \(request.url.string))
        RETURNING id, state),
      facts AS (
        UPDATE jobs SET request = \(try requests.encode(request)), is_safe = \(request.isSafe),
          body = \(request.body?.name), foreign_depth = \(specification.foreignDepth),
          options = CASE WHEN renewed.state = 'complete' THEN \(try JSONColumn.text(specification.options))::jsonb
            ELSE (\(try JSONColumn.text(specification.options))::jsonb - \(PostgresStore.keptOptions))
              || coalesce((SELECT jsonb_object_agg(key, value) FROM jsonb_each(options)
                WHERE key = ANY(\(PostgresStore.keptOptions))), '{}') END
        FROM renewed WHERE jobs.id = renewed.id)
      SELECT id FROM renewed
      """) == 1
  }

  /// The options that a job keeps when its request is renewed: where its part file is.
  private static let keptOptions = ["partStem", "partDirectory", "askedDirectory"]

  func recheck(_ jobs: [(id: JobID, specification: JobSpecification)]) async throws(Failure) {
    try await write(.durable) { db in
      try db.lock(.adding)
      for (id, specification) in jobs
      where try PostgresStore.renew(db, id, specification, where: "state = 'complete'") {
        let set = Assignments(
          """
          , digest_retried = 0, retries_used = 0, furthest = 0, not_before = NULL, waiting_since = NULL,
          finished_at = NULL, publishing = NULL
          """, jobs: "digest = NULL, failure = NULL, note = NULL",
          checkpoint: "segments = '', received = 0, offered = NULL")
        try db.run(set.statement("state = 'queued'", where: "hot.id = \(id) AND state = 'complete'"))
      }
    }
  }

  // MARK: Repairs

  func beginRepair(
    _ id: JobID, _ specification: JobSpecification, sums: BlockSums, runner: UUID
  ) async throws(Failure) -> Bool {
    let fence = try await write(.durable, for: runner) { db -> Int64? in
      try FleetSums.expectRepaired(db, id, sums)
      let isHeld = try PostgresStore.set(
        db, specification, Checkpoint(), id, "state = 'active', runner = \(runner)",
        where: "hot.id = \(id) AND state = 'complete'")
      return isHeld ? try PostgresStore.giveFences(db, [id]).first?.1 : nil
    }
    if let fence { held.record(fence, of: id, runner: runner) }
    return fence != nil
  }

  func abandonRepair(_ job: Job, runner: UUID) async throws(Failure) {
    let claim = held.condition(job.id, runner)
    try await write(.durable, for: runner) { db in
      let isHeld = try PostgresStore.set(
        db, job.specification, job.checkpoint, job.id, "command = NULL",
        where: "\(claim) AND command IS DISTINCT FROM 'remove'")
      if isHeld { _ = try FleetSums.takeBackRepair(db, job.id, note: nil, now: nil) }
    }
  }

  func queueRepair(
    _ id: JobID, _ specification: JobSpecification, _ checkpoint: Checkpoint, runner: UUID
  ) async throws(Failure) -> Bool {
    let claim = held.condition(id, runner)
    return try await write(.durable, for: runner) { db in
      let isQueued = try PostgresStore.set(
        db, specification, checkpoint, id,
        """
        state = CASE WHEN command = 'pause' THEN 'paused' ELSE 'queued' END, runner = NULL, command = NULL,
        digest_retried = 0, retries_used = 0, furthest = 0, not_before = NULL, waiting_since = NULL, start_at = NULL,
        finished_at = NULL, publishing = NULL
        """, jobs: "failure = NULL, note = NULL", where: "\(claim) AND command IS DISTINCT FROM 'remove'")
      if isQueued { try FleetSums.record(db, checkpoint.sums, of: id) }
      return isQueued
    }
  }

  /// Sets the specification and checkpoint of a job, and more columns.
  /// - Returns: whether it meets the condition.
  private static func set(
    _ db: FleetSession, _ specification: JobSpecification, _ checkpoint: Checkpoint, _ id: JobID, _ hot: SQL,
    jobs: SQL? = nil, where condition: SQL
  ) throws -> Bool {
    guard try db.run("UPDATE hot SET \(hot) WHERE \(condition)") == 1 else { return false }
    var requests = RequestColumn()
    let request = specification.request
    let more: SQL = jobs.map { ", \($0)" } ?? ""
    try db.all([
      """
      UPDATE jobs SET request = \(try requests.encode(request)), is_safe = \(request.isSafe),
        options = \(try JSONColumn.text(specification.options))::jsonb\(more)
      WHERE id = \(id)
      """,
      """
      INSERT INTO checkpoints (job, segments, received)
      VALUES (\(id), \(checkpoint.segments.description), \(checkpoint.segments.count))
      ON CONFLICT (job) DO UPDATE SET segments = excluded.segments, received = excluded.received
      """,
    ])
    return true
  }

  // MARK: Jobs from another store

  /// Gives new fences to jobs that the transaction has locked, as its last step: claims wait for it.
  static func giveFences(_ db: FleetSession, _ ids: [JobID]) throws -> [(JobID, Int64)] {
    guard !ids.isEmpty else { return [] }
    return try db.all([
      FleetSchema.Lock.claiming.statement(isShared: true),
      "UPDATE hot SET \(OwnedJobs.newFence) WHERE id = ANY(\(ids)) RETURNING id, fence",
    ])[1].map { (try $0[0], try $0[1]) }
  }

  func restore(_ imported: [ImportedJob], runner: UUID?, now: Double) async throws(Failure) -> [AddedJob] {
    let (added, fences) = try await write(.durable, for: runner) { db in
      try db.lock(.adding)
      var (added, held): ([AddedJob], [JobID]) = ([], [])
      for one in imported {
        let entrance = Entrance(uuids: one.uuid.map { [0: $0] } ?? [:])
        let all = try FleetAdding.add(db, [one.specification], now: now, seen: nil, entering: entrance)
        added += all
        guard let job = all.first, !job.existing else { continue }
        let holder = one.isHeld ? runner : nil
        if let name = one.fileName {
          let free = try Targets.free(
            name, in: one.specification.directory, policy: one.specification.options.onConflict, besides: job.id, db: db
          )
          try db.run("UPDATE jobs SET file_name = \(free) WHERE id = \(job.id)")
        }
        let state: JobState = holder != nil ? .active : one.isPaused ? .paused : .queued
        try db.run(
          """
          UPDATE hot SET state = \(state.rawValue), runner = \(holder),
            command = \(holder != nil && one.isPaused ? JobCommand.pause.rawValue : nil)
          WHERE id = \(job.id)
          """)
        if holder != nil { held.append(job.id) }
        guard let checkpoint = one.checkpoint, !one.isHeld else { continue }
        try db.all([
          try FleetCheckpoint.upsert(checkpoint, of: job.id),
          "UPDATE hot SET furthest = \(checkpoint.segments.end) WHERE id = \(job.id)",
        ])
        try FleetSums.record(db, checkpoint.sums, of: job.id)
      }
      for (one, job) in zip(imported, added) where !job.existing {
        try Prerequisites.add(
          db, job.id, after: one.waitsFor.filter(added.indices.contains).map { added[$0].id })
      }
      return (added, try PostgresStore.giveFences(db, held))
    }
    if let runner { for (id, fence) in fences { held.record(fence, of: id, runner: runner) } }
    return added
  }
}
