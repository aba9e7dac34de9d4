// Assigns queued jobs to runners: each job to one runner, most urgent first, no job before its time, and no more jobs
// of an origin than its limit.

internal import DrayCore
internal import SQLite

internal import struct FoundationEssentials.UUID

extension SQLiteStore {
  func claim(_ query: ClaimQuery, limit: Int, runner: UUID) async throws(Failure) -> [Job] {
    try await write(.lazy) { [windows] db in
      let closed = try ClosedWindows(db, windows, now: query.now, zone: query.zone, opens: false)
      let search = ClaimSearch(
        scope: query.scope, limit: limit, now: query.now, queues: try query.queues.withActive(db), closed: closed)
      let ids = try search.find(db, query.jobsPerOrigin.withOthers(db, runner: runner))
      return try SQLiteStore.take(db, ids, runner: runner)
    }
  }

  /// Makes jobs active with `runner`, in this order, after the caller has checked that they are free.
  static func take(_ db: Database, _ ids: [JobID], runner: UUID) throws -> [Job] {
    guard !ids.isEmpty else { return [] }
    // Use one statement for all jobs, because running a statement is half of a job's cost.
    let take = try db.cachedStatement(
      sql: """
        UPDATE jobs SET state = 'active', runner = ?, command = NULL, attempts = attempts + 1,
          not_before = NULL, waiting_since = NULL, start_at = NULL
        WHERE id IN (SELECT value FROM json_each(?)) RETURNING \(JobReader.columns)
        """)
    let list = "[\(ids.map { "\($0)" }.joined(separator: ","))]"
    var reader = JobReader()
    var taken: [Job] = []
    taken.reserveCapacity(ids.count)
    let rows = try Row.fetchCursor(take, arguments: [runner.text, list])
    while let row = try rows.next() { taken.append(try reader.job(row)) }
    // SQLite usually returns the jobs in this order. Sort only if it did not, because jobs are large.
    guard !taken.elementsEqual(ids, by: { $0.id == $1 }) else { return taken }
    let places = Dictionary(zip(ids, ids.indices)) { first, _ in first }
    return taken.sorted { places[$0.id, default: 0] < places[$1.id, default: 0] }
  }

  func giveBack(_ ids: [JobID], runner: UUID) async throws(Failure) -> Set<JobID> {
    try await write(.lazy) { db in
      let update = try db.cachedStatement(
        sql: """
          UPDATE jobs SET state = 'queued', runner = NULL, attempts = attempts - 1
          WHERE id = ? AND runner = ? AND command IS NULL
          """)
      let asked = try db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM jobs WHERE id = ? AND runner = ?)")
      var kept: Set<JobID> = []
      for id in ids {
        try update.execute(arguments: [id, runner.uuidString])
        if db.changesCount == 0, try Bool.fetchOne(asked, arguments: [id, runner.uuidString]) ?? false {
          kept.insert(id)
        }
      }
      return kept
    }
  }

  func nextDue(_ query: ClaimQuery, runner: UUID) async throws(Failure) -> Double? {
    try await access { [windows] db in
      let closed = try ClosedWindows(db, windows, now: query.now, zone: query.zone, opens: true)
      let search = ClaimSearch(
        scope: query.scope, limit: 1, now: query.now, queues: try query.queues.withActive(db), closed: closed)
      return try search.nextDue(db, query.jobsPerOrigin.withOthers(db, runner: runner))
    }
  }

  func mayGoOn(scope: ClaimScope, queues: QueueGates, now: Double) async throws(Failure) -> Bool {
    try await access { db in
      // Ignore windows, because each of them opens at some time.
      let search = ClaimSearch(scope: scope, limit: 1, now: now, queues: queues.withoutLimits)
      if try search.nextDue(db, .unlimited) != nil { return true }
      return try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM prerequisites JOIN jobs AS first ON first.id = prerequisite JOIN jobs ON jobs.id = job
            WHERE first.state = 'active' AND jobs.state = 'queued' AND \(scope.condition))
          """) ?? false
    }
  }

  func requeueInterrupted(
    scope: ClaimScope, _ continued: ContinuedJobs, now: Double
  ) async throws(Failure) -> [JobID] {
    try await write(.lazy) { db in
      try JobID.fetchAll(
        db.cachedStatement(
          sql: """
            UPDATE jobs SET state = 'queued', retries_used = 0
            WHERE state = 'interrupted' AND submitted_at IS NULL AND \(scope.condition) AND \(continued.condition)
              AND (\(ClaimSearch.isOver(until: "not_before"))
                OR not_before - :now <= json_extract(options, '$.maxRetryWait'))
            RETURNING id
            """),
        arguments: ["now": now])
    }
  }

  func requeueAbandoned(scope: ClaimScope, _ continued: ContinuedJobs) async throws(Failure) -> [JobID] {
    let abandoned = """
      state = 'interrupted' AND failure IS NULL AND submitted_at IS NULL AND \(scope.condition)
        AND \(continued.condition)
      """
    // This is called repeatedly during a run, so take the write lock only if there is something to do.
    guard
      try await access({ db in try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM jobs WHERE \(abandoned))") })
        ?? false
    else { return [] }
    return try await write(.lazy) { db in
      try JobID.fetchAll(
        db, sql: "UPDATE jobs SET state = 'queued', retries_used = 0 WHERE \(abandoned) RETURNING id")
    }
  }
}

extension ContinuedJobs {
  /// An SQL condition for an interrupted row of `jobs`.
  fileprivate var condition: String {
    switch self {
    case .all: "1"
    case .ofClients: "json_extract(request, '$.isOfClient')"
    }
  }
}
