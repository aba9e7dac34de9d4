// Completes published jobs, many with one statement.
//
// Because of the triggers on `jobs`, SQLite keeps a copy of each page that a statement changes, until the statement
// ends. With one statement for each row, these copies would cost almost as much as the rows.

internal import DrayCore
internal import SQLite

enum CompletingRows {
  /// The possible numbers of rows in a statement, smallest first. A statement with fewer jobs is padded with rows
  /// without an id, which match no job.
  private static let sizes = [1, 8, 32]
  private static let columnCount = 8
  private static let statements = sizes.map { statement(rows: $0) }

  private static func statement(rows: Int) -> String {
    let row = "(\(repeatElement("?", count: columnCount).joined(separator: ", ")))"
    return """
      WITH done (id, published, received, segments, size, note, digest, digest_source) AS (
        VALUES \(repeatElement(row, count: rows).joined(separator: ", ")))
      UPDATE jobs NOT INDEXED SET state = 'complete', runner = NULL, command = NULL, publishing = NULL, failure = NULL,
        published = done.published, received = done.received, segments = done.segments, upload = NULL, size = done.size,
        note = done.note, digest_source = iif(done.digest IS NULL, jobs.digest_source, done.digest_source),
        digest = ifnull(done.digest, jobs.digest), finished_at = ?
      FROM done WHERE jobs.id = done.id AND jobs.runner = ? AND jobs.command IS NOT 'remove'
      RETURNING id
      """
  }

  /// Completes the jobs of `holder`, except those with a pending removal, and records their attempts.
  /// - Returns: The jobs that are now complete.
  static func complete(_ db: Database, _ batch: [Finished], holder: String, now: Double) throws -> Set<JobID> {
    var completed = Set<JobID>(minimumCapacity: batch.count)
    var start = 0
    while start < batch.count {
      let rest = batch.count - start
      let place = sizes.firstIndex { $0 >= rest } ?? sizes.count - 1
      let (size, end) = (sizes[place], min(batch.count, start + sizes[place]))
      var values: [DatabaseValue] = []
      values.reserveCapacity(size * columnCount + 2)
      for job in batch[start..<end] { add(job, to: &values) }
      values.append(contentsOf: repeatElement(.null, count: size * columnCount - values.count))
      values += [.real(now), .text(holder)]
      let ids = try JobID.fetchAll(
        db.cachedStatement(sql: statements[place]), arguments: StatementArguments(values: values))
      completed.formUnion(ids)
      start = end
    }
    var attempts: [DatabaseValue] = []
    for job in batch where completed.contains(job.id) {
      // This is the job's last attempt, so nothing is pruned here: the oldest attempts were removed when earlier ones
      // were added.
      if let attempt = job.attempt { attempts += attempt.values(of: job.id) }
    }
    try AttemptRecord.insert(attempts, db)
    return completed
  }

  private static func add(_ job: Finished, to values: inout [DatabaseValue]) {
    values.append(.integer(job.id))
    values.append(.text(RecordText.of(job.published)))
    values.append(.integer(job.received))
    values.append(.text(SegmentSet(0..<job.received).description))
    values.append(job.size.databaseValue)
    values.append(job.note.databaseValue)
    values.append((job.digest?.digest.description).databaseValue)
    values.append((job.digest?.source.rawValue).databaseValue)
  }
}
