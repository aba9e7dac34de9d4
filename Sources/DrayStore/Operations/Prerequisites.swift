// Records which jobs wait for which other jobs. Each row is a wait that is not over. A job with such a row does not
// start. When a job becomes complete, a trigger of the schema deletes the rows of the jobs that wait for it. When a job
// fails or is removed, the jobs that depend on it fail in the same transaction. The rows of these dependents stay, so
// that a retry of the prerequisite can queue the dependents again.

internal import DrayCore

enum Prerequisites {
  /// Returns a recursive table of all jobs that wait for a job, directly or through other jobs.
  private static func dependents(_ id: JobID) -> SQL {
    """
    WITH RECURSIVE waits (id) AS (
      SELECT job FROM prerequisites WHERE prerequisite = \(id)
      UNION SELECT job FROM prerequisites JOIN waits ON prerequisite = waits.id)
    """
  }

  /// Makes a job that has not started wait for the unfinished ones among other jobs.
  /// - Throws: Kind `usage` for a prerequisite that is missing, has failed, or waits for this job.
  static func add(_ db: some StoreSession, _ job: JobID, after others: [JobID]) throws {
    for other in others {
      // Lock the other job until the wait is recorded: if the other job is just becoming complete, its trigger must
      // find the wait.
      let text = try db.value(
        "SELECT state FROM \(.hot) WHERE id = \(other)\(postgres: " FOR SHARE")", as: String.self)
      guard try WaitRule.needsWait(for: other, in: text.flatMap(JobState.init(rawValue:))) else { continue }
      let waitsAlready = try db.isTrue("\(dependents(job)) SELECT EXISTS (SELECT 1 FROM waits WHERE id = \(other))")
      if other == job || waitsAlready { throw WaitRule.circle(job, other) }
      try db.run("INSERT INTO prerequisites VALUES (\(job), \(other)) ON CONFLICT DO NOTHING")
    }
  }

  static func add(_ db: some StoreSession, existing job: JobID, after others: [JobID]) throws {
    let unmet = try others.filter { try state(db, $0) != .complete }
    guard !unmet.isEmpty else { return }
    let begun = try db.isTrue(
      "SELECT attempts > 0 OR state NOT IN ('queued', 'paused') FROM \(.hot) WHERE id = \(job)\(.forUpdate)")
    if begun, unmet != [job] { throw WaitRule.hasStarted(job) }
    try add(db, job, after: unmet)
  }

  static func state(_ db: some StoreSession, _ id: JobID) throws -> JobState? {
    try db.value("SELECT state FROM \(.hot) WHERE id = \(id)", as: String.self).flatMap(JobState.init(rawValue:))
  }

  /// Fails the jobs that depend on `ids`, directly or indirectly. Each job in `ids` has failed or was removed.
  /// - Parameter now: Seconds since 1970; `nil` means the time of the database.
  static func failDependents(_ db: some StoreSession, of ids: some Sequence<JobID>, now: Double? = nil) throws {
    var ended = Array(ids)
    guard !ended.isEmpty,
      try db.isTrue("SELECT EXISTS (SELECT 1 FROM prerequisites WHERE prerequisite \(in: ended))")
    else { return }
    while let id = ended.popLast() {
      let waiting = try db.rows(
        """
        SELECT hot.id, url FROM prerequisites JOIN \(.hot) ON hot.id = job \(postgres: "JOIN jobs ON jobs.id = job")
        WHERE prerequisite = \(id) AND state IN ('queued', 'paused') ORDER BY hot.id\(postgres: " FOR UPDATE OF hot")
        """)
      guard !waiting.isEmpty else { continue }
      let cause = try cause(db, id)
      for row in waiting {
        let (job, url): (JobID, String) = (try row[0], try row[1])
        let failure = cause.failure(of: job, url: url)
        let set = Assignments(
          """
          state = 'failed', finished_at = coalesce(\(now), \(.clock)), not_before = NULL, waiting_since = NULL,
          start_at = NULL
          """, jobs: "failure = \(try JSONColumn.text(failure))")
        try db.change(set, where: "hot.id = \(job)")
        ended.append(job)
      }
    }
  }

  private static func cause(_ db: some StoreSession, _ id: JobID) throws -> FailedPrerequisite {
    let row = try db.first(
      "SELECT failure, EXISTS (SELECT 1 FROM prerequisites WHERE job = jobs.id) FROM jobs WHERE id = \(id)")
    guard let row else { return FailedPrerequisite(removed: id) }
    return try FailedPrerequisite(id, failure: row[0], waits: row[1])
  }

  /// Returns the jobs that failed because of a job, directly or indirectly.
  static func failedDependents(_ db: some StoreSession, of id: JobID) throws -> [JobID] {
    try db.values(
      """
      \(dependents(id)) SELECT hot.id FROM waits JOIN \(.hot) ON hot.id = waits.id WHERE state = 'failed' ORDER BY hot.id
      """, as: JobID.self)
  }

  /// Removes the waits of `job` for jobs that no longer exist.
  static func dropMissing(_ db: some StoreSession, of job: JobID) throws {
    try db.run(
      """
      DELETE FROM prerequisites
      WHERE job = \(job) AND NOT EXISTS (SELECT 1 FROM \(.hot) WHERE hot.id = prerequisite)
      """)
  }

  static func failed(_ db: some StoreSession, of job: JobID) throws -> [JobID] {
    try db.values(
      """
      SELECT prerequisite FROM prerequisites JOIN \(.hot) ON hot.id = prerequisite WHERE job = \(job) AND state = 'failed'
      """, as: JobID.self)
  }
}
