// Waits between jobs. A row is an unfinished wait, so a job with a row does not start. When a job becomes complete, a
// trigger of the schema ends the waits for it. When a job fails or is removed, its dependents fail in the same
// transaction. A failed job keeps its rows: retrying its prerequisite queues it again, too.

import DrayCore
import SQLite

enum Prerequisites {
  /// A recursive table of all jobs that wait for `:id`, directly or through others.
  private static let dependents = """
    WITH RECURSIVE waits (id) AS (
      SELECT job FROM prerequisites WHERE prerequisite = :id
      UNION SELECT job FROM prerequisites JOIN waits ON prerequisite = waits.id)
    """

  /// Makes a job that has not started wait for others. Complete ones are skipped.
  /// - Throws: kind `usage` for a prerequisite that is missing, has failed, or waits for this job.
  static func add(_ db: Database, _ job: JobID, after others: [JobID]) throws {
    for other in others {
      guard try WaitRule.needsWait(for: other, in: state(db, other)) else { continue }
      let waitsAlready = try Bool.fetchOne(
        db.cachedStatement(sql: "\(dependents) SELECT EXISTS (SELECT 1 FROM waits WHERE id = :other)"),
        arguments: ["id": job, "other": other])
      if other == job || waitsAlready == true { throw WaitRule.circle(job, other) }
      try db.cachedStatement(sql: "INSERT OR IGNORE INTO prerequisites VALUES (?, ?)").execute(arguments: [job, other])
    }
  }

  /// Adds prerequisites to a job that existed before.
  static func add(_ db: Database, existing job: JobID, after others: [JobID]) throws {
    let unmet = try others.filter { try state(db, $0) != .complete }
    guard !unmet.isEmpty else { return }
    let begun = try Bool.fetchOne(
      db, sql: "SELECT attempts > 0 OR state NOT IN ('queued', 'paused') FROM jobs WHERE id = ?", arguments: [job])
    if begun == true, unmet != [job] { throw WaitRule.hasStarted(job) }
    try add(db, job, after: unmet)
  }

  static func state(_ db: Database, _ id: JobID) throws -> JobState? {
    try String.fetchOne(db.cachedStatement(sql: "SELECT state FROM jobs WHERE id = ?"), arguments: [id])
      .flatMap(JobState.init)
  }

  /// Fails the dependents of `ids`, directly or through others. Each of `ids` has failed or is gone.
  /// - Parameter now: seconds since 1970; `nil` uses SQLite's clock.
  static func failDependents(_ db: Database, of ids: some Sequence<JobID>, now: Double? = nil) throws {
    var ended = Array(ids)
    while let id = ended.popLast() {
      let waiting = try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT id, url FROM prerequisites JOIN jobs ON jobs.id = job
            WHERE prerequisite = ? AND state IN ('queued', 'paused') ORDER BY id
            """), arguments: [id])
      guard !waiting.isEmpty else { continue }
      let cause = try cause(db, id)
      for row in waiting {
        let (job, url): (JobID, String) = (try row[0], try row[1])
        let failure = cause.failure(of: job, url: url)
        try db.cachedStatement(
          sql: """
            UPDATE jobs SET state = 'failed', failure = ?,
              finished_at = ifnull(?, (julianday('now') - 2440587.5) * 86400),
              not_before = NULL, waiting_since = NULL, start_at = NULL
            WHERE id = ?
            """
        ).execute(arguments: [try JSONColumn.text(failure), now, job])
        ended.append(job)
      }
    }
  }

  private static func cause(_ db: Database, _ id: JobID) throws -> FailedPrerequisite {
    let row = try Row.fetchOne(
      db,
      sql: "SELECT failure, EXISTS (SELECT 1 FROM prerequisites WHERE job = jobs.id) FROM jobs WHERE id = ?",
      arguments: [id])
    guard let row else { return FailedPrerequisite(removed: id) }
    return try FailedPrerequisite(id, failure: row[0], waits: row[1])
  }

  /// The failed jobs that wait for `id`, directly or through others.
  static func failedDependents(_ db: Database, of id: JobID) throws -> [JobID] {
    try JobID.fetchAll(
      db.cachedStatement(
        sql: """
          \(dependents) SELECT jobs.id FROM waits JOIN jobs ON jobs.id = waits.id WHERE state = 'failed' ORDER BY jobs.id
          """),
      arguments: ["id": id])
  }

  /// Removes prerequisites that no longer exist.
  static func dropMissing(_ db: Database, of job: JobID) throws {
    try db.execute(
      sql: "DELETE FROM prerequisites WHERE job = ? AND prerequisite NOT IN (SELECT id FROM jobs)", arguments: [job])
  }

  /// The failed prerequisites of `job`.
  static func failed(_ db: Database, of job: JobID) throws -> [JobID] {
    try JobID.fetchAll(
      db,
      sql: "SELECT prerequisite FROM prerequisites JOIN jobs ON id = prerequisite WHERE job = ? AND state = 'failed'",
      arguments: [job])
  }
}

extension SQLiteStore {
  func prerequisites(of id: JobID) async throws(Failure) -> [JobID] {
    try await look { db in
      try JobID.fetchAll(
        db, sql: "SELECT prerequisite FROM prerequisites WHERE job = ? ORDER BY prerequisite", arguments: [id])
    }
  }

  func failedDependents(of id: JobID) async throws(Failure) -> [Job] {
    try await look { db in try SQLiteStore.jobs(db, ids: try Prerequisites.failedDependents(db, of: id)) }
  }
}
