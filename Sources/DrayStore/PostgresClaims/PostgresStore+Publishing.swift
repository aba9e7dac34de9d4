// Publishes complete files of the fleet in groups: permits before the renames, results after the renames. A group costs
// a few statements, no matter how many files it has.

#if Postgres

internal import DrayCore
internal import Postgres

internal import struct FoundationEssentials.UUID

extension PostgresStore {
  func beginPublishing(
    _ batch: [PublishIntent], after finished: [Finished], runner: UUID, now: Double, isDurable: Bool
  ) async throws(Failure) -> PublishStart {
    let fences = fences(of: finished, runner)
    let wanted = batch.map { Intent($0, held.fence(of: $0.id, runner: runner)) }
    let newest = lazyEnds.newest
    // This write is always durable, because this process survives a crash of the server and then renames the files.
    let (done, permits, connection) = try await write(.durable, for: runner, announces: !finished.isEmpty) {
      [writer] db in
      let ended = try db.arranged(finished).map { (job: $0, fence: fences[$0.id] ?? 0) }
      let done = try PostgresStore.finish(db, ended, runner: runner, now: now)
      return (done, try PostgresStore.permits(db, wanted, runner), writer.reopenings)
    }
    // If the transaction has written nothing, it did not wait for the disk.
    let hasWritten = !done.isEmpty || permits.contains { if case .granted = $0 { true } else { false } }
    if hasWritten { lazyEnds.confirm(upTo: newest, on: connection) }
    held.forget(done, runner: runner)
    return PublishStart(permits: permits, ended: done)
  }

  func finish(_ batch: [Finished], runner: UUID, now: Double) async throws(Failure) -> Set<JobID> {
    let fences = fences(of: batch, runner)
    let (done, connection) = try await write(.lazy, for: runner) { [writer] db in
      let ended = try db.arranged(batch).map { (job: $0, fence: fences[$0.id] ?? 0) }
      return (try PostgresStore.finish(db, ended, runner: runner, now: now), writer.reopenings)
    }
    let ended = batch.filter { done.contains($0.id) }.map { (job: $0, fence: fences[$0.id] ?? 0) }
    lazyEnds.add(LazyEnds.Batch(runner: runner, jobs: ended, now: now, connection: connection))
    held.forget(done, runner: runner)
    return done
  }

  private func fences(of batch: [Finished], _ runner: UUID) -> [JobID: Int64] {
    batch.reduce(into: [:]) { $0[$1.id] = held.fence(of: $1.id, runner: runner) }
  }

  /// Records completions again, in case a crash of the server has undone them. Another runner may have recovered and
  /// released such a job before this call, but as long as no runner has claimed it, its fence is the same.
  static func finishAgain(_ db: FleetSession, _ batches: [LazyEnds.Batch]) throws {
    for batch in batches {
      let claims = batch.jobs.filter { $0.fence != 0 }
      _ = try finish(
        db, claims, runner: batch.runner, now: batch.now,
        where: "(\(OwnedJobs.isOwner(batch.runner)) OR runner IS NULL AND publishing IS NOT NULL)")
    }
  }

  private static func finish(
    _ db: FleetSession, _ batch: [(job: Finished, fence: Int64)], runner: UUID, now: Double, where isHeld: SQL? = nil
  ) throws -> Set<JobID> {
    guard !batch.isEmpty else { return [] }
    let jobs = batch.map(\.job)
    let isHeld = isHeld ?? OwnedJobs.isOwner(runner)
    var held = Set(
      try db.values(
        """
        WITH done AS (
          SELECT * FROM unnest(\(jobs.map(\.id)), \(batch.map(\.fence)), \(jobs.map { RecordText.of($0.published) }),
            \(jobs.map(\.received)), \(jobs.map { SegmentSet(0..<$0.received).description }), \(jobs.map(\.size)),
            \(jobs.map(\.note)), \(jobs.map { $0.digest?.digest.description }), \(jobs.map { $0.digest?.source.rawValue }))
            AS done (job, claim, published, received, segments, size, note, digest, source)),
        ended AS (
          UPDATE hot SET state = 'complete', runner = NULL, command = NULL, publishing = NULL, finished_at = \(now)
          FROM done WHERE hot.id = done.job AND \(isHeld) AND done.claim IN (0, hot.fence)
            AND hot.command IS DISTINCT FROM 'remove'
          RETURNING hot.id),
        facts AS (
          UPDATE jobs SET failure = NULL, published = done.published, note = done.note,
            digest_source = CASE WHEN done.digest IS NULL THEN jobs.digest_source ELSE done.source END,
            digest = coalesce(done.digest, jobs.digest)
          FROM done JOIN ended ON ended.id = done.job WHERE jobs.id = done.job),
        bytes AS (
          INSERT INTO checkpoints (job, segments, received, size)
          SELECT job, segments, received, size FROM done JOIN ended ON ended.id = done.job
          ON CONFLICT (job) DO UPDATE
            SET segments = excluded.segments, received = excluded.received, size = excluded.size,
              upload = NULL)
        SELECT id FROM ended
        """, as: JobID.self))
    try FleetAttempts.insert(
      jobs.compactMap { job in held.contains(job.id) ? job.attempt.map { (job.id, $0) } : nil }, db)
    let rest = batch.filter { !held.contains($0.job.id) }
    guard !rest.isEmpty else { return held }
    let gone = try db.values(
      """
      DELETE FROM jobs USING hot, unnest(\(rest.map(\.job.id)), \(rest.map(\.fence))) AS mine (job, claim)
      WHERE hot.id = mine.job AND jobs.id = mine.job AND \(isHeld) AND mine.claim IN (0, fence)
        AND command = 'remove'
      RETURNING jobs.id
      """, as: JobID.self)
    // The files exist although their jobs were removed, so the jobs that depend on them may start.
    if !gone.isEmpty { try db.run("DELETE FROM prerequisites WHERE prerequisite = ANY(\(gone))") }
    held.formUnion(gone)
    return held
  }

  // MARK: Permits

  private struct Intent: Sendable {
    let intent: PublishIntent
    let fence: Int64

    init(_ intent: PublishIntent, _ fence: Int64) { (self.intent, self.fence) = (intent, fence) }
  }

  /// The name that a job of a group wants.
  private struct Wish: Hashable {
    var directory: String
    var name: String
  }

  private static func permits(_ db: FleetSession, _ batch: [Intent], _ runner: UUID) throws -> [PublishPermit] {
    guard !batch.isEmpty else { return [] }
    // Usually the names are free, and one statement suffices for the group. But two jobs of the group may want the same
    // name.
    var wishes: Set<Wish> = []
    let easy = batch.filter { one in
      guard let naming = one.intent.naming else { return true }
      if naming.isAnother || naming.policy == .rename && naming.taken.contains(one.intent.fileName) { return false }
      return wishes.insert(Wish(directory: naming.directory, name: one.intent.fileName)).inserted
    }
    let granted = try record(db, easy.map { ($0, $0.intent.fileName, $0.intent.naming != nil) }, runner)
    let permits = try batch.map { one in
      if granted.contains(one.intent.id) { return PublishPermit.granted(one.intent.fileName) }
      guard let naming = one.intent.naming else { return .lost }
      return try permit(db, one, naming, runner)
    }
    var sums: [SQL] = []
    for (one, permit) in zip(batch, permits) {
      if case .granted = permit, let known = one.intent.sums { sums += Sums.statements(known, of: one.intent.id) }
    }
    if !sums.isEmpty { try db.all(sums) }
    return permits
  }

  private static func permit(
    _ db: FleetSession, _ one: Intent, _ naming: TargetNaming, _ runner: UUID
  ) throws -> PublishPermit {
    let id = one.intent.id
    let row = try db.first(
      """
      SELECT file_name FROM jobs JOIN (
        SELECT id FROM hot WHERE id = \(id) AND \(OwnedJobs.isOwner(runner)) AND \(one.fence) IN (0, fence) FOR SHARE) AS held
      ON held.id = jobs.id
      """)
    guard let row else { return .lost }
    do {
      let known: String? = naming.isAnother ? nil : try row[0]
      let name =
        try known
        ?? db.freeName(
          one.intent.fileName, in: naming.directory, policy: naming.policy, besides: id, taken: naming.taken)
      return try record(db, [(one, name, false)], runner).isEmpty ? .lost : .granted(name)
    } catch let failure as Failure {
      return .refused(failure)
    }
  }

  /// Records the publishing intents of owned jobs. A new answer replaces the recorded answer and its validators,
  /// because the new one covers the whole file.
  /// - Parameter all: The intents with their names. With `isNew`, an intent applies only if the job has no name yet and
  ///   no other unfinished job has this target.
  /// - Returns: The jobs whose intents were recorded.
  private static func record(
    _ db: FleetSession, _ all: [(one: Intent, name: String, isNew: Bool)], _ runner: UUID
  ) throws -> Set<JobID> {
    guard !all.isEmpty else { return [] }
    let intents = all.map(\.one.intent)
    let (ids, names, heads) = (intents.map(\.id), all.map(\.name), intents.map { $0.response?.head.validators })
    let targets: SQL = """
      unnest(\(ids), \(names), \(all.map(\.isNew))) AS wanted (job, name, is_new) JOIN jobs ON jobs.id = wanted.job
      """
    let locks: SQL = """
      SELECT pg_advisory_xact_lock(key) FROM (
        SELECT DISTINCT hashtextextended(directory || '/' || name, 0) AS key FROM \(targets) WHERE is_new ORDER BY 1)
        AS keys
      """
    let record: SQL = """
      WITH wanted AS (
        SELECT * FROM unnest(\(ids), \(all.map(\.one.fence)), \(names), \(all.map(\.isNew)),
          \(intents.map { RecordText.of($0.identity) }), \(intents.map { $0.digest?.digest.description }),
          \(intents.map { $0.digest?.source.rawValue }), \(intents.map { $0.response.map { RecordText.of($0) } }),
          \(intents.map { $0.response?.finalURL.string }), \(heads.map { $0?.etag }), \(heads.map { $0?.lastModified }),
          \(heads.map { $0?.date }))
          AS wanted (job, claim, name, is_new, identity, digest, source, response, final_url, etag, last_modified, date)),
      free AS (
        SELECT wanted.* FROM wanted JOIN jobs ON jobs.id = wanted.job
        WHERE NOT is_new OR (jobs.file_name IS NULL AND NOT EXISTS (
          SELECT 1 FROM jobs AS other JOIN hot ON hot.id = other.id
          WHERE other.target_key = hashtextextended(jobs.directory || '/' || name, 0)
            AND other.directory = jobs.directory AND other.file_name = name AND other.id <> jobs.id
            AND \(Targets.unfinished)))),
      marked AS (
        UPDATE hot SET publishing = identity FROM free
        WHERE hot.id = free.job AND \(OwnedJobs.isOwner(runner)) AND free.claim IN (0, hot.fence) RETURNING hot.id),
      facts AS (
        UPDATE jobs SET file_name = free.name, digest = coalesce(free.digest, jobs.digest),
          digest_source = CASE WHEN free.digest IS NULL THEN jobs.digest_source ELSE free.source END,
          response = coalesce(free.response, jobs.response), final_url = coalesce(free.final_url, jobs.final_url)
        FROM free JOIN marked ON marked.id = free.job WHERE jobs.id = free.job),
      bytes AS (
        INSERT INTO checkpoints (job, etag, last_modified, date)
        SELECT job, etag, last_modified, date FROM free JOIN marked ON marked.id = free.job WHERE response IS NOT NULL
        ON CONFLICT (job) DO UPDATE
          SET etag = excluded.etag, last_modified = excluded.last_modified, date = excluded.date)
      SELECT id FROM marked
      """
    return Set(try db.all([locks, record])[1].map { try $0[0] as JobID })
  }

  // MARK: After a crash

  func claimPublishing(runner: UUID, scope: ClaimScope) async throws(Failure) -> [Job] {
    let marking = { @Sendable ids in PostgresStore.marking(ids, in: [.queued, .interrupted], runner) }
    let ids = try await write(.lazy, for: runner, last: LastStatements(make: marking)) { db in
      try db.values(
        """
        SELECT id FROM hot WHERE state IN ('queued', 'interrupted') AND publishing IS NOT NULL AND \(scope.fleetCondition)
        ORDER BY id
        """, as: JobID.self)
    }
    return try await taken(ids, runner: runner).jobs
  }
}

#endif
