// The records that the holder of a job writes during the transfer. Each names the claim, and changes nothing if another
// claim came since (P9, P20).

import DrayCore
import Postgres

import struct FoundationEssentials.UUID

extension PendingCommandRule {
  /// The condition that this rule adds.
  var fleetCondition: SQL {
    switch self {
    case .drop: ""
    case .yield: " AND command IS NULL"
    case .carryOut(let command): " AND command = \(command.rawValue)"
    }
  }
}

extension PostgresStore {
  /// Changes a job if it is held by this claim.
  /// - Returns: whether it is.
  static func change(
    _ db: FleetSession, _ id: JobID, _ claim: SQL, _ set: Assignments, attempt: AttemptRecord? = nil
  ) throws -> Bool {
    guard try db.run(set.statement("", where: claim)) == 1 else { return false }
    if let attempt { try FleetAttempts.insert([(id, attempt)], prunes: true, db) }
    return true
  }

  /// Changes only the row of `jobs` of a held job.
  private static func changeFacts(_ db: FleetSession, _ claim: SQL, _ facts: SQL) throws -> Bool {
    try db.run(
      """
      WITH held AS (SELECT hot.id FROM hot WHERE \(claim) FOR SHARE)
      UPDATE jobs SET \(facts) FROM held WHERE jobs.id = held.id
      """) == 1
  }

  func recordResponse(
    _ id: JobID, runner: UUID, _ response: ResponseRecord, size: Int64?
  ) async throws(Failure) -> Bool {
    let claim = held.condition(id, runner)
    let endsHold = response.head.status < 400
    return try await write(.lazy, for: runner, announces: false) { db in
      // The size of a checkpoint belongs to its validators and bytes. The size of another version must not replace it
      // (P2).
      let record: SQL = """
        WITH held AS (SELECT hot.id FROM hot WHERE \(claim) FOR SHARE),
          facts AS (
            UPDATE jobs SET response = \(RecordText.of(response)), final_url = \(response.finalURL.string)
            FROM held WHERE jobs.id = held.id),
          bytes AS (
            INSERT INTO checkpoints (job, size) SELECT id, \(size) FROM held
            ON CONFLICT (job) DO UPDATE
              SET size = CASE WHEN checkpoints.segments = '' THEN excluded.size ELSE checkpoints.size END)
        SELECT id FROM held
        """
      let end: SQL = """
        DELETE FROM origins WHERE held_at = (SELECT hold_passes.held_at FROM hold_passes WHERE hold_passes.job = \(id))
          AND EXISTS (SELECT 1 FROM hot WHERE \(claim))
        """
      return try !db.all(endsHold ? [record, end] : [record])[0].isEmpty
    }
  }

  func checkpoint(
    _ batch: [(id: JobID, checkpoint: Checkpoint)], since: [JobID: UInt32],
    expecting bad: [BlockSums.Extent], runner: UUID
  ) async throws(Failure) -> Set<JobID> {
    guard !batch.isEmpty else { return [] }
    let fences = held.fences(of: batch.map(\.id), runner: runner)
    return try await write(.durable, for: runner, announces: false) { db in
      let marks = Set(try PostgresStore.record(db, batch, fences, runner))
      var sums: [SQL] = []
      for (id, checkpoint) in batch where marks.contains(id) {
        sums += FleetSums.statements(checkpoint.sums, of: id, since: since[id])
      }
      if !sums.isEmpty { try db.all(sums) }
      if let id = batch.first?.id, marks.contains(id) { try FleetSums.expect(db, bad, of: id) }
      return marks
    }
  }

  /// Records checkpoints of several jobs with one statement.
  /// - Returns: the jobs that `runner` holds.
  private static func record(
    _ db: FleetSession, _ batch: [(id: JobID, checkpoint: Checkpoint)], _ fences: [Int64], _ runner: UUID
  ) throws -> [JobID] {
    let all = batch.map(\.checkpoint)
    let rows: SQL = """
      unnest(\(batch.map(\.id)), \(fences), \(all.map(\.segments.description)), \(all.map(\.segments.count)),
        \(all.map(\.size)), \(all.map(\.validators.etag)), \(all.map(\.validators.lastModified)),
        \(all.map(\.validators.date)), \(try all.map { $0.offered.isEmpty ? nil : try JSONColumn.text($0.offered) }),
        \(try all.map { try $0.provenance.jsonText() }), \(try all.map { try $0.upload.jsonText() }))
      """
    return try db.values(
      """
      WITH wanted AS (
        SELECT * FROM \(rows) AS wanted
          (job, claim, segments, received, size, etag, last_modified, date, offered, provenance, upload)),
      held AS (
        SELECT hot.id FROM hot JOIN wanted ON wanted.job = hot.id
        WHERE \(OwnedJobs.isOwner(runner)) AND claim IN (0, fence) ORDER BY hot.id FOR SHARE OF hot)
      INSERT INTO checkpoints (job, segments, received, size, etag, last_modified, date, offered, provenance, upload)
      SELECT job, segments, received, size, etag, last_modified, date, offered, provenance, upload
      FROM wanted JOIN held ON held.id = wanted.job
      ON CONFLICT (job) DO UPDATE SET \(raw: FleetCheckpoint.replacing)
      RETURNING job
      """)
  }

  func forgetCheckpoint(_ id: JobID, runner: UUID, note: String?) async throws(Failure) -> Bool {
    let claim = held.condition(id, runner)
    return try await write(.durable, for: runner, announces: false) { db in
      try PostgresStore.changeFacts(db, claim, "note = \(note)")
        && db.run(
          "UPDATE checkpoints SET \(raw: FleetCheckpoint.nothing), size = NULL WHERE job = \(id)") >= 0
    }
  }

  func recordPart(_ id: JobID, runner: UUID, _ part: PartGeneration) async throws(Failure) -> Bool {
    let claim = held.condition(id, runner)
    return try await write(.durable, for: runner, announces: false) { db in
      try db.run("UPDATE hot SET part = \(part == PartGeneration() ? nil : part.text) WHERE \(claim)") == 1
    }
  }

  func recordDigestRetry(_ id: JobID, _ retry: DigestRetry, runner: UUID) async throws(Failure) -> Bool {
    let claim = held.condition(id, runner)
    return try await write(.durable, for: runner, announces: false) { db in
      let bit = Int(retry.rawValue)
      return try db.run(
        """
        UPDATE hot SET digest_retried = digest_retried | \(bit)::int4
        WHERE \(claim) AND digest_retried & \(bit)::int4 = 0
        """) == 1
    }
  }

  func recordAdoption(
    _ id: JobID, runner: UUID, _ outcome: Adoption.Outcome, _ checkpoint: Checkpoint?
  ) async throws(Failure) -> Bool {
    let claim = held.condition(id, runner)
    return try await write(.durable, for: runner) { db in
      let text = try db.value(
        """
        SELECT options::text FROM jobs JOIN (SELECT hot.id FROM hot WHERE \(claim) FOR SHARE) AS held ON held.id = jobs.id
        """, as: String.self)
      guard let text else { return false }
      // Other options may have changed since the job was claimed.
      var options = try JSONColumn<JobOptions>.value(text)
      options.adopts?.outcome = outcome
      try db.run("UPDATE jobs SET options = \(try JSONColumn.text(options))::jsonb WHERE id = \(id)")
      guard let checkpoint else { return true }
      try db.run(try FleetCheckpoint.upsert(checkpoint, of: id))
      try FleetSums.record(db, checkpoint.sums, of: id)
      return true
    }
  }

  func fixName(
    _ id: JobID, runner: UUID, directory: String, name: String, policy: ConflictPolicy,
    taken: Set<String>
  ) async throws(Failure) -> String? {
    let claim = held.condition(id, runner)
    return try await write(.durable, for: runner) { db in
      let row = try db.first(
        """
        SELECT file_name FROM jobs JOIN (SELECT hot.id FROM hot WHERE \(claim) FOR SHARE) AS held ON held.id = jobs.id
        """)
      guard let row else { return nil }
      if let fixed: String = try row[0] { return fixed }
      let free = try Targets.free(name, in: directory, policy: policy, besides: id, db: db, taken: taken)
      try db.run("UPDATE jobs SET file_name = \(free), directory = \(directory) WHERE id = \(id)")
      return free
    }
  }

  func takeName(_ id: JobID, runner: UUID, name: String, taken: Set<String>) async throws(Failure) -> String? {
    let claim = held.condition(id, runner)
    return try await write(.durable, for: runner) { db in
      let row = try db.first(
        """
        SELECT directory FROM jobs JOIN (SELECT hot.id FROM hot WHERE \(claim) FOR SHARE) AS held ON held.id = jobs.id
        """)
      guard let row else { return nil }
      let free = try Targets.free(name, in: try row[0], policy: .rename, besides: id, db: db, taken: taken)
      try db.run("UPDATE jobs SET file_name = \(free) WHERE id = \(id)")
      return free
    }
  }

  func applyRules(
    _ id: JobID, runner: UUID, _ change: @escaping @Sendable (inout JobSpecification) -> Void
  ) async throws(Failure) -> Job? {
    let claim = held.condition(id, runner)
    return try await write(.durable, for: runner) { db in
      guard try !db.rows("SELECT 1 FROM hot WHERE \(claim) FOR UPDATE").isEmpty,
        var job = try PostgresStore.jobs(db, ids: [id]).first
      else { return nil }
      let directory = job.specification.directory
      change(&job.specification)
      let specification = job.specification
      if specification.directory != directory, let name = job.fileName {
        job.fileName = try Targets.free(
          name, in: specification.directory, at: specification.targetServer,
          policy: specification.options.onConflict, besides: id, db: db)
      }
      try db.all([
        """
        UPDATE jobs SET options = \(try JSONColumn.text(specification.options))::jsonb,
          directory = \(specification.directory), file_name = \(job.fileName) WHERE id = \(id)
        """,
        """
        UPDATE hot SET queue = \(specification.queue), transfer_window = \(specification.window?.description),
          rank = CASE WHEN priority = \(specification.priority) THEN rank END, priority = \(specification.priority)
        WHERE id = \(id)
        """,
      ])
      return job
    }
  }

  func beginSubmission(_ id: JobID, runner: UUID, now: Double) async throws(Failure) -> Bool {
    let claim = held.condition(id, runner)
    return try await write(.durable, for: runner, announces: false) { db in
      try db.run("UPDATE hot SET submitted_at = \(now) WHERE \(claim)") == 1
    }
  }

  // MARK: News for the holder

  func commands(runner: UUID) async throws(Failure) -> [(id: JobID, command: JobCommand)] {
    try await access(for: runner) { db in
      try db.rows(
        "SELECT id, command FROM \(db.fences.ownedJobs) WHERE runner = \(runner) AND command IS NOT NULL ORDER BY id"
      )
      .compactMap { row in try JobCommand(rawValue: try row[1]).map { (try row[0], $0) } }
    }
  }

  func rateLimits(runner: UUID) async throws(Failure) -> [JobID: Int64] {
    try await access(for: runner) { db in
      try db.rows(
        """
        SELECT hot.id, (options ->> 'rateLimit')::int8 FROM \(db.fences.ownedJobs) JOIN jobs ON jobs.id = hot.id
        WHERE runner = \(runner) AND options ? 'rateLimit'
        """
      ).reduce(into: [:]) { limits, row in limits[try row[0]] = try row[1] as Int64? }
    }
  }

  func windows(runner: UUID) async throws(Failure) -> [JobID: TransferWindow] {
    try await access(for: runner) { db in
      try db.rows(
        "SELECT id, transfer_window FROM \(db.fences.ownedJobs) WHERE runner = \(runner) AND transfer_window IS NOT NULL"
      ).reduce(into: [:]) { windows, row in windows[try row[0]] = try? TransferWindow.parse(try row[1]) }
    }
  }
}
