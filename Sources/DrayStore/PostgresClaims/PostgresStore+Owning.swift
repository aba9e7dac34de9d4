// Writes the records of a job's owner during the transfer. Each write names the claim, and changes nothing if a later
// claim exists (P9, P20).

#if Postgres

internal import DrayCore
internal import Postgres

internal import struct FoundationEssentials.UUID

extension PostgresStore {
  func recordResponse(
    _ id: JobID, runner: UUID, _ response: ResponseRecord, size: Int64?
  ) async throws(Failure) -> Bool {
    let claim = held.condition(id, runner)
    let endsHold = response.head.status < 400
    return try await write(.lazy, for: runner, announces: false) { db in
      // The size in a checkpoint belongs to the validators and bytes in it, so the size of another version must not
      // replace it (P2).
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
        sums += Sums.statements(checkpoint.sums, of: id, since: since[id])
      }
      if !sums.isEmpty { try db.all(sums) }
      if let id = batch.first?.id, marks.contains(id) { try Sums.expect(db, bad, of: id) }
      return marks
    }
  }

  /// Records checkpoints of several jobs with one statement.
  /// - Returns: The jobs that `runner` owns.
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
      ON CONFLICT (job) DO UPDATE SET \(raw: Checkpoints.replacing)
      RETURNING job
      """)
  }
}

#endif
