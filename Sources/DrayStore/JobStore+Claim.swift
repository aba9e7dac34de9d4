// Handing queued jobs to a runner: each to one only, the most urgent first, none before its time.

public import DrayCore
import GRDB

public import struct Foundation.UUID

extension JobStore {
  /// A wait that is over, as a condition: its time has come, or the clock stands before the wait was begun (D7).
  private static func isOver(until: String, since: String) -> String {
    "(\(until) IS NULL OR \(until) <= :now OR \(since) > :now)"
  }

  /// Makes up to `limit` queued jobs of `scope` the runner's own: those that are due and whose origin is not on hold,
  /// by priority, then age. Lazy.
  /// - Returns: the jobs, active; their attempts are counted up, what was wanted of them before is forgotten.
  public func claim(runner: UUID, limit: Int, scope: ClaimScope, now: Double) throws(Failure) -> [Job] {
    try write(.lazy) { db in
      let ids = try JobID.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT jobs.id FROM \(scope.queued)
              AND \(JobStore.isOver(until: "not_before", since: "waiting_since"))
              AND origin NOT IN (SELECT origin FROM origins WHERE hold_until > :now AND held_at <= :now)
            ORDER BY priority DESC, jobs.id LIMIT :limit
            """),
        arguments: ["now": now, "limit": limit])
      return try JobStore.take(db, ids, runner: runner)
    }
  }

  /// Makes jobs active with `runner`; the caller has seen that they are free.
  static func take(_ db: Database, _ ids: [JobID], runner: UUID) throws -> [Job] {
    var reader = JobReader()
    let take = try db.cachedStatement(
      sql: """
        UPDATE jobs SET state = 'active', runner = ?, command = NULL, attempts = attempts + 1,
          not_before = NULL, waiting_since = NULL
        WHERE id = ? RETURNING \(JobReader.columns)
        """)
    return try ids.compactMap { id in
      try Row.fetchAll(take, arguments: [runner.uuidString, id]).first.map { try reader.job($0) }
    }
  }

  /// The earliest time at which a queued job of `scope` can be claimed, `now` if one can be already.
  /// - Returns: seconds since 1970; `nil` where none is queued.
  public func nextDue(scope: ClaimScope, now: Double) throws(Failure) -> Double? {
    try access { db in
      try Double.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT min(max(
              iif(\(JobStore.isOver(until: "not_before", since: "waiting_since")), :now, not_before),
              ifnull((SELECT hold_until FROM origins WHERE origins.origin = jobs.origin AND held_at <= :now), :now)))
            FROM \(scope.queued)
            """),
        arguments: ["now": now])
    }
  }

  /// Queues the interrupted jobs of `scope` again, as a run does when it begins, with all their retries before them.
  /// A job whose server asked for a longer wait than its options allow stays as it is until that is over.
  /// - Returns: the numbers of the jobs that are queued now.
  @discardableResult
  public func requeueInterrupted(scope: ClaimScope, now: Double) throws(Failure) -> [JobID] {
    try write(.lazy) { db in
      try JobID.fetchAll(
        db.cachedStatement(
          sql: """
            UPDATE jobs SET state = 'queued', retries_used = 0
            WHERE state = 'interrupted' AND \(scope.condition)
              AND (\(JobStore.isOver(until: "not_before", since: "waiting_since"))
                OR not_before - :now <= json_extract(options, '$.maxRetryWait'))
            RETURNING id
            """),
        arguments: ["now": now])
    }
  }

  /// Keeps all jobs of `origin` from being claimed until `until`, as its server asked (RFC 9110 §10.2.3); a longer hold
  /// that is in force stays.
  public func hold(origin: Origin, until: Double, now: Double) throws(Failure) {
    try write(.lazy) { db in
      try db.execute(sql: "DELETE FROM origins WHERE hold_until <= ? OR held_at > ?", arguments: [now, now])
      try db.execute(
        sql: """
          INSERT INTO origins (origin, hold_until, held_at) VALUES (?, ?, ?)
          ON CONFLICT (origin) DO UPDATE SET hold_until = max(hold_until, excluded.hold_until)
          """, arguments: [origin.description, until, now])
    }
  }
}
