// Restores removed jobs: they are added as new jobs, and finished ones get their old state.

import DrayCore
import SQLite

extension SQLiteStore {
  func restore(_ jobs: [Job], now: Double) async throws(Failure) -> [AddedJob] {
    try await write(.durable) { db in
      var added: [AddedJob] = []
      var ids: [JobID: JobID] = [:]
      for job in jobs {
        var specification = job.specification
        specification.after = []
        let new = try SQLiteStore.add(
          db, [specification], now: now, seen: nil, entering: Entrance(paused: job.state == .paused ? [0] : []),
          // A file fetched twice had two jobs. Restore both.
          isApart: job.state.isFinished)
        for one in new where !one.existing && job.state.isFinished { try SQLiteStore.end(db, one.id, as: job) }
        added += new
        ids[job.id] = new.first?.id
      }
      for (job, new) in zip(jobs, added) where !new.existing && !job.state.isFinished {
        // Drop prerequisites that failed or are gone.
        let gone: [JobState?] = [nil, .failed]
        let others = try job.specification.after.map { ids[$0] ?? $0 }.filter { id in
          !gone.contains(try Prerequisites.state(db, id))
        }
        try Prerequisites.add(db, new.id, after: others)
      }
      return added
    }
  }

  /// Gives a new job the ended state of `job`.
  private static func end(_ db: Database, _ id: JobID, as job: Job) throws {
    var row = Arguments()
    let validators = job.checkpoint.validators
    let update = """
      UPDATE jobs SET state = \(row.bind(job.state.rawValue)), file_name = \(row.bind(job.fileName)),
        segments = \(row.bind(job.checkpoint.segments.description)), received = \(row.bind(job.checkpoint.segments.count)),
        size = \(row.bind(job.checkpoint.size)), etag = \(row.bind(validators.etag)),
        last_modified = \(row.bind(validators.lastModified)), date = \(row.bind(validators.date)),
        digest = \(row.bind(job.digest?.description)), digest_source = \(row.bind(job.digestSource?.rawValue)),
        note = \(row.bind(job.note)), failure = \(row.bind(try job.failure.jsonText())),
        published = \(row.bind(try job.published.jsonText())), final_url = \(row.bind(job.response?.finalURL.string)),
        response = \(row.bind(try job.response.jsonText())), attempts = \(row.bind(job.attempts)),
        added_at = \(row.bind(job.addedAt)), finished_at = \(row.bind(job.finishedAt))
      WHERE id = \(row.bind(id))
      """
    try db.execute(sql: update, arguments: row.all)
  }
}
