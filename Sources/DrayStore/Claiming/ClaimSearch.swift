// Searches for jobs that can be claimed. The search is fast even if 100,000 jobs are queued and most of them cannot be
// claimed.
//
// It first walks a short way along the queue, which usually finds enough. If it finds too few jobs, the search
// continues by origin: if an origin is at its limit, none of its jobs is checked, no matter how many there are.

internal import DrayCore
internal import SQLite

struct ClaimSearch {
  let scope: ClaimScope
  let limit: Int
  let now: Double
  var queues = QueueGates.open
  /// The windows whose jobs cannot be claimed.
  var closed = ClosedWindows()

  /// The minimum number of rows that the walk along the queue checks.
  static let steps = 256

  /// Returns a condition that a wait is over: its end has passed, or the clock is before its start (D7).
  static func isOver(until: String, since: String = "waiting_since") -> String {
    "(\(until) IS NULL OR \(until) <= :now OR \(since) > :now)"
  }

  /// The condition that one of the job's prerequisites is unfinished.
  private static let isBlocked = "EXISTS (SELECT 1 FROM prerequisites WHERE job = jobs.id)"
  /// The condition that the job's named queue is not in `:shut`.
  private static let isOpen = "(queue IS NULL OR queue NOT IN (SELECT value FROM json_each(:shut)))"
  private var isDue: String {
    let waits = [ClaimSearch.isOver(until: "not_before"), ClaimSearch.isOver(until: "start_at")]
    return "(\((waits + closed.conditions).joined(separator: " AND ")) AND NOT \(ClaimSearch.isBlocked))"
  }
  private static let order = "priority DESC, ifnull(rank, jobs.id), jobs.id"
  private static let held = "SELECT origin FROM origins WHERE hold_until > :now AND held_at <= :now"

  /// The condition that the job may send a request despite the hold on its origin.
  static let passes = HoldColumn.passes.sqlite

  /// Selects the queue in order, and for each job whether it can be claimed.
  var walk: String {
    """
    SELECT jobs.id, origin,
      CASE WHEN origin IN (\(ClaimSearch.held)) AND NOT \(ClaimSearch.passes) THEN 0 ELSE \(isDue) END,
      queue, priority, retries_used > 0
    FROM \(scope.queued) ORDER BY \(ClaimSearch.order)
    """
  }

  private static let candidate = "jobs.id, priority, ifnull(rank, jobs.id), queue, retries_used > 0, origin"

  /// Selects the jobs of one origin that can be claimed, in order.
  /// - Parameter isFirst: Whether to leave out jobs whose last tries failed.
  func walkOfOrigin(isFirst: Bool) -> String {
    """
    SELECT \(ClaimSearch.candidate) FROM jobs INDEXED BY jobs_origin
    WHERE state = 'queued' AND origin = :origin AND \(ClaimSearch.isOpen) AND \(isDue) AND \(scope.condition)
      \(isFirst ? "AND retries_used = 0" : "")
    ORDER BY \(ClaimSearch.order) LIMIT :limit
    """
  }

  /// Selects the jobs that have a pass for the hold on their origin, in order.
  var walkOfPasses: String {
    """
    SELECT \(ClaimSearch.candidate)
    FROM hold_passes CROSS JOIN jobs ON jobs.id = hold_passes.job
    WHERE state = 'queued' AND origin = :origin AND \(ClaimSearch.isOpen) AND \(isDue)
      AND \(scope.condition) AND \(ClaimSearch.passes)
    ORDER BY \(ClaimSearch.order) LIMIT :limit
    """
  }

  /// Returns the jobs that can be claimed, most urgent first.
  func find(_ db: Database, _ jobs: JobsPerOrigin) throws -> [JobID] {
    var order = ClaimOrder<Candidate>(limit: limit)
    var (counted, gates) = (jobs, queues)
    func admits(_ one: Candidate) -> Bool {
      guard gates.admits(one.queue), counted.take(one.origin) else { return false }
      gates.add(1, to: one.queue)
      return true
    }
    var examined = 0
    let rows = try Row.fetchCursor(db.cachedStatement(sql: walk), arguments: closed.adding(to: ["now": now]))
    while !order.isFull, let row = try rows.next() {
      if try row[2] as Bool {
        let one = Candidate(
          id: try row[0], priority: try row[4], rank: 0, queue: try row[3], hasFailed: try row[5], origin: try row[1])
        order.add(one, priority: one.priority, hasFailed: one.hasFailed, admits)
      }
      examined += 1
      if examined == max(ClaimSearch.steps, 2 * limit), !order.isFull { return try findByOrigin(db, jobs) }
    }
    order.finish(admits)
    return order.found.map(\.id)
  }

  private struct Candidate {
    var id: JobID
    var priority: Int
    var rank: Double
    var queue: String?
    var hasFailed: Bool
    var origin: String

    static func isSooner(_ one: Candidate, _ other: Candidate) -> Bool {
      if one.priority != other.priority { return one.priority > other.priority }
      return (one.hasFailed ? 1 : 0, one.rank, one.id) < (other.hasFailed ? 1 : 0, other.rank, other.id)
    }
  }

  private func findByOrigin(_ db: Database, _ jobs: JobsPerOrigin) throws -> [JobID] {
    let held = Set(try String.fetchAll(db, sql: ClaimSearch.held, arguments: ["now": now]))
    let passing = try db.cachedStatement(sql: walkOfPasses)
    let (all, first) = (
      try db.cachedStatement(sql: walkOfOrigin(isFirst: false)),
      try db.cachedStatement(sql: walkOfOrigin(isFirst: true))
    )
    let shut = try JSONColumn<[String]>.text(queues.shut.sorted())
    var candidates: [Candidate] = []
    for origin in try ClaimSearch.origins(db) where jobs.room(at: origin) > 0 {
      func fetch(_ select: Statement) throws -> [Candidate] {
        let arguments = closed.adding(
          to: ["now": now, "origin": origin, "limit": min(limit, jobs.room(at: origin)), "shut": shut])
        return try Row.fetchAll(select, arguments: arguments).map { row in
          Candidate(
            id: try row[0], priority: try row[1], rank: try row[2], queue: try row[3], hasFailed: try row[4],
            origin: try row[5])
        }
      }
      let found = try fetch(held.contains(origin) ? passing : all)
      candidates += found
      // After these failed jobs in the queue, other jobs may exist that should be tried first.
      guard found.contains(where: \.hasFailed), !held.contains(origin) else { continue }
      let known = Set(found.map(\.id))
      candidates += try fetch(first).filter { !known.contains($0.id) }
    }
    var (counted, gates) = (jobs, queues)
    var found: [JobID] = []
    for one in candidates.sorted(by: Candidate.isSooner) where found.count < limit && gates.admits(one.queue) {
      guard counted.take(one.origin) else { continue }
      gates.add(1, to: one.queue)
      found.append(one.id)
    }
    return found
  }

  /// Returns the origins of queued jobs with one index lookup for each origin, not for each job.
  private static func origins(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(
        sql: """
          WITH RECURSIVE named (origin) AS (
            SELECT min(origin) FROM jobs INDEXED BY jobs_origin WHERE state = 'queued'
            UNION ALL
            SELECT (SELECT min(origin) FROM jobs INDEXED BY jobs_origin WHERE state = 'queued' AND origin > named.origin)
            FROM named WHERE named.origin IS NOT NULL)
          SELECT origin FROM named WHERE origin IS NOT NULL
          """))
  }

  /// Implements ``JobOwning/nextDue(_:runner:)``.
  func nextDue(_ db: Database, _ jobs: JobsPerOrigin) throws -> Double? {
    let full = jobs.full
    let first = try nextDueInWindow(db, full)
    guard !closed.isEmpty, first != now else { return first }
    let select = try db.cachedStatement(
      sql: """
        \(ClaimSearch.due(opening: "closed.opening")) FROM \(ClosedWindows.jobs)
          AND NOT \(ClaimSearch.isBlocked) AND \(ClaimSearch.isOpen) AND \(scope.condition)
          AND origin NOT IN (SELECT value FROM json_each(:full))
        """)
    let later = try soonest(select, ["full": try JSONColumn.text(full.sorted())])
    return [first, later].compactMap(\.self).min()
  }

  /// Returns when the first job with an open window, or without a window, is due.
  private func nextDueInWindow(_ db: Database, _ full: Set<String>) throws -> Double? {
    let due = ClaimSearch.due(opening: ":now")
    let conditions = (["NOT \(ClaimSearch.isBlocked)", ClaimSearch.isOpen] + closed.conditions)
      .joined(separator: " AND ")
    guard !full.isEmpty else {
      return try soonest(db.cachedStatement(sql: "\(due) FROM \(scope.queued) AND \(conditions)"))
    }
    let select = try db.cachedStatement(
      sql: """
        \(due) FROM jobs INDEXED BY jobs_origin
        WHERE state = 'queued' AND origin = :origin AND \(conditions) AND \(scope.condition)
        """)
    var first: Double?
    for origin in try ClaimSearch.origins(db) where !full.contains(origin) && first != now {
      first = [first, try soonest(select, ["origin": origin])].compactMap(\.self).min()
    }
    return first
  }

  /// Returns the earliest moment that a statement with ``due(opening:)`` selects. Stops at the first job that is
  /// already due; in a long queue, such a job is usually near the beginning.
  private func soonest(_ select: Statement, _ arguments: StatementArguments = [:]) throws -> Double? {
    var first: Double?
    let rows = try Row.fetchCursor(select, arguments: try dueArguments(arguments))
    while first != now, let row = try rows.next() { first = min(try row[0], first ?? .infinity) }
    return first
  }

  /// Returns `arguments` together with those that ``due(opening:)`` and the conditions need.
  private func dueArguments(_ arguments: StatementArguments = [:]) throws -> StatementArguments {
    var all = closed.adding(to: arguments)
    all.set("now", to: now)
    all.set("shut", to: try JSONColumn<[String]>.text(queues.waiting.sorted()))
    all.set("until", to: try JSONColumn<[String: Double]>.text(queues.until))
    return all
  }

  /// Returns the SQL for the moment at which a job is due; `:now` if it already is.
  /// - Parameter opening: The SQL for the moment at which the job's window opens.
  private static func due(opening: String) -> String {
    """
    SELECT max(
      iif(\(ClaimSearch.isOver(until: "not_before")), :now, not_before),
      iif(\(ClaimSearch.isOver(until: "start_at")), :now, start_at), \(opening),
      ifnull((SELECT hold_until FROM origins
        WHERE origins.origin = jobs.origin AND held_at <= :now AND NOT \(ClaimSearch.passes)), :now),
      ifnull((SELECT opens.value FROM json_each(:until) AS opens WHERE opens.key = jobs.queue), :now))
    """
  }
}
