// Searches for jobs of a fleet that can be claimed; each search is one statement.

#if Postgres

internal import DrayCore
internal import Postgres

internal import struct FoundationEssentials.UUID

struct FleetSearch {
  let scope: ClaimScope
  var limit: Int
  /// The number of jobs to return in addition to ``limit``, because another claim may take some of them first, or jobs
  /// of other runners may fill a limit.
  var spare = 0
  let now: Double
  var queues = QueueGates.open
  /// The windows whose jobs cannot be claimed, with the times at which they open.
  var closed: [String: Double] = [:]
  /// The lanes of the queue; `nil` to walk over the jobs of all lanes.
  var lanes: FleetLanes?

  /// The jobs to choose from, as found by ``reachable(_:)``; `nil` for all jobs.
  var reachable: [JobID]?

  /// The minimum number of rows that a walk under limits checks before the search continues by origin.
  static let steps = 256

  struct Candidate {
    var id: JobID
    var priority: Int
    var place: Double
    var origin: String
    var queue: String?
    var hasFailed: Bool

    var point: QueuePoint { QueuePoint(priority: priority, place: place, id: id) }

    static func isSooner(_ one: Candidate, _ other: Candidate) -> Bool {
      if one.priority != other.priority { return one.priority > other.priority }
      return (one.hasFailed ? 1 : 0, one.place, one.id) < (other.hasFailed ? 1 : 0, other.place, other.id)
    }

    static func isAhead(_ one: Candidate, _ other: Candidate) -> Bool {
      (-one.priority, one.place, one.id) < (-other.priority, other.place, other.id)
    }
  }

  /// Returns the candidates in order. Candidates beyond the limit are left out if a claim would need more locks for
  /// them.
  func sorted(_ found: [Candidate]) -> [Candidate] {
    let all = found.sorted(by: Candidate.isSooner)
    let first = all.prefix(limit)
    let (origins, names) = (Set(first.map(\.origin)), Set(first.map(\.queue)))
    return first + all.dropFirst(limit).filter { origins.contains($0.origin) && names.contains($0.queue) }
  }

  // MARK: Conditions on a row of `hot`

  /// A condition that a wait is over: its end has passed, or the clock is before its start (D7).
  static func isOver(_ time: String, now: Double) -> SQL {
    "(\(raw: time) IS NULL OR \(raw: time) <= \(now) OR waiting_since > \(now + PostgresStore.clockDifference))"
  }

  static let isFree: SQL = "NOT EXISTS (SELECT 1 FROM prerequisites WHERE prerequisites.job = hot.id)"

  private var isOpen: SQL {
    closed.isEmpty ? "true" : "(transfer_window IS NULL OR transfer_window <> ALL(\(closed.keys.sorted())))"
  }

  static func isNotIn(_ queues: Set<String>) -> SQL {
    queues.isEmpty ? "true" : "(queue IS NULL OR queue <> ALL(\(queues.sorted())))"
  }

  var isDue: SQL {
    """
    \(FleetSearch.isOver("not_before", now: now)) AND \(FleetSearch.isOver("start_at", now: now)) AND \(isOpen)
      AND \(FleetSearch.isFree)
    """
  }

  /// Whether no hold keeps the job from starting.
  var isNotHeld: SQL {
    """
    (NOT EXISTS (SELECT 1 FROM origins WHERE origins.origin = hot.origin AND \(PostgresStore.isInForce(now)))
      OR \(HoldColumn.passes))
    """
  }

  /// The condition to use together with the source of a search.
  private var rest: SQL {
    guard let reachable else { return scope.fleetRest }
    return "\(scope.fleetRest) AND hot.id = ANY(\(reachable))"
  }

  /// The condition for the jobs of the scope whose directories this machine can reach.
  private var isReached: SQL {
    guard !queues.places.isEmpty else { return scope.fleetRest }
    let roots = queues.places.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    return """
      \(scope.fleetRest) AND NOT EXISTS (
        SELECT 1 FROM jobs AS placed, unnest(\(roots)) AS root WHERE placed.id = hot.id AND (
          starts_with((placed.directory || '/') COLLATE "C", root)
          OR starts_with(((placed.options ->> 'partDirectory') || '/') COLLATE "C", root)))
      """
  }

  static let columns = "hot.id, priority, place, hot.origin, queue, retries_used > 0"
  static let order = "urgency, place, hot.id"

  /// Returns a condition for a point of the queue and everything after it.
  static func isFrom(_ point: QueuePoint?) -> SQL {
    guard let point else { return "true" }
    // Compare whole rows, so that the server starts reading the index at this point.
    return "(urgency, place, hot.id) >= (\(Int32(clamping: -point.priority)), \(point.place), \(point.id))"
  }

  // MARK: Searches

  /// The first jobs of the queue in order, from all open lanes.
  func near(_ steps: Int, from point: QueuePoint?) -> SQL {
    let first: SQL = "state = 'queued' AND \(FleetSearch.isFrom(point))"
    let end: SQL = "ORDER BY \(raw: FleetSearch.order) LIMIT \(steps)"
    guard let lanes, let open, open.count < lanes.all.count else {
      return
        "SELECT hot.* FROM \(scope.fleetSource) WHERE \(first) AND \(lanes == nil ? rest : "true") \(end)"
    }
    return """
      SELECT hot.* FROM \(FleetLanes.source(open)) CROSS JOIN LATERAL (
        SELECT * FROM hot WHERE \(first) AND \(FleetLanes.isIn) \(end)) AS hot \(end)
      """
  }

  /// Returns the point of the first due job, whether or not limits allow the job; `nil` if no job is due.
  func head(_ db: FleetSession, from point: QueuePoint?) throws -> QueuePoint? {
    func first(_ source: SQL) throws -> QueuePoint? {
      try db.first(
        """
        SELECT \(raw: FleetSearch.columns) FROM \(source) AND \(isDue) AND \(isNotHeld)
        ORDER BY \(raw: FleetSearch.order) LIMIT 1
        """
      ).map { try Candidate($0).point }
    }
    guard lanes != nil else { return try first("hot WHERE state = 'queued' AND \(FleetSearch.isFrom(point))") }
    let near = near(FleetSearch.steps, from: point)
    if let place = try first("(\(near)) AS hot WHERE true") { return place }
    guard try db.value("SELECT count(*) FROM (\(near)) AS hot") == FleetSearch.steps else { return nil }
    var search = self
    search.limit = 1
    return try search.onTracks(db, .unlimited, from: point).min(by: Candidate.isAhead)?.point
  }

  /// Returns the first due jobs, in order, whose directories work on this machine, whether or not limits allow the
  /// jobs. If most jobs are in directories that do not work, the statement reads them all, so it takes no lock.
  func reachable(_ db: FleetSession) throws -> [JobID] {
    try db.values(
      """
      SELECT hot.id FROM \(scope.fleetSource)
      WHERE state = 'queued' AND \(isDue) AND \(isNotHeld) AND \(FleetSearch.isNotIn(queues.shut)) AND \(isReached)
      ORDER BY \(raw: FleetSearch.order) LIMIT \(max(FleetSearch.steps, 2 * limit))
      """, as: JobID.self)
  }

  /// Returns the first jobs of the queue that the limits allow by the runner's own counts, and locks them, so that
  /// other claims skip these jobs. Returns `nil` if the result has too few jobs and a longer search may find more.
  func reserved(
    _ db: FleetSession, _ jobs: JobsPerOrigin, from point: QueuePoint?
  ) throws -> (found: [Candidate], isAll: Bool)? {
    let steps = limit + max(8, limit / 4)
    let order: SQL = "ORDER BY hot.urgency, hot.place, hot.id LIMIT \(steps) FOR UPDATE OF hot SKIP LOCKED"
    // If all lanes are open, the walk may pass any number of jobs that other claims have locked.
    let isWhole = scope == .all && open?.count == lanes?.all.count
    guard isWhole || lanes != nil else { return nil }
    let rows = try db.rows(
      walk(
        isWhole
          ? "SELECT hot.* FROM hot WHERE state = 'queued' AND \(FleetSearch.isFrom(point)) \(order)"
          : """
          SELECT hot.* FROM (\(near(max(FleetSearch.steps, 2 * steps), from: point))) AS near
            JOIN hot ON hot.id = near.id WHERE hot.state = 'queued' \(order)
          """))
    var search = self
    search.spare = steps - limit
    let (found, isEnough) = try search.admitted(among: rows, of: steps, jobs)
    guard isEnough, isWhole || rows.count == steps else { return nil }
    guard rows.count == steps, let end = try rows.last.map({ try Candidate($0).priority }) else { return (found, true) }
    // Jobs further back may have to come before failed ones.
    return (found.filter { !$0.hasFailed || $0.priority != end }, false)
  }

  /// Returns the jobs that can be claimed and that the limits allow at present, and whether the first walk along the
  /// queue sufficed. Other claims may be in progress, so ``FleetAdmission`` counts again.
  func admitted(
    _ db: FleetSession, _ jobs: JobsPerOrigin, runner: UUID, from point: QueuePoint?
  ) throws -> (found: [Candidate], isNear: Bool) {
    // Two statements are sent together, which takes one round trip.
    let results = try db.all([OwnedCounts.statement(db.fences, runner: runner), walk(near(short, from: point))])
    let held = try OwnedCounts(results[0])
    var counting = self
    // Find more jobs than needed, because another claim may take some of them first.
    counting.spare = limit
    counting.queues = held.added(to: queues)
    let counted = held.added(to: jobs)
    var (found, isEnough) = try counting.admitted(among: results[1], of: short, counted)
    let isNear = isEnough
    if !isEnough, short < FleetSearch.steps || counting.open != open {
      let rows = try db.rows(walk(counting.near(FleetSearch.steps, from: point)))
      (found, isEnough) = try counting.admitted(among: rows, of: FleetSearch.steps, counted)
    }
    if isEnough || reachable != nil { return (found, isNear) }
    return (
      lanes == nil
        ? try counting.byOrigin(db, counted, from: point)
        : counting.chosen(of: try counting.onTracks(db, counted, from: point), counted), false
    )
  }

  /// The number of rows of the first walk.
  private var short: Int { max(16, 2 * limit) }

  /// A walk along the queue that returns for each job whether it can be claimed, apart from limits.
  private func walk(_ near: SQL) -> SQL {
    """
    SELECT \(raw: FleetSearch.columns), \(isDue) AND \(isNotHeld) FROM (\(near)) AS hot
    ORDER BY \(raw: FleetSearch.order)
    """
  }

  /// Returns those jobs of a walk of `steps` rows that the limits allow, and whether a longer walk would find no more.
  private func admitted(
    among rows: PostgresRows, of steps: Int, _ jobs: JobsPerOrigin
  ) throws -> (found: [Candidate], isEnough: Bool) {
    var (counted, gates) = (jobs, queues)
    var order = ClaimOrder<Candidate>(limit: limit + spare)
    func admits(_ one: Candidate) -> Bool {
      guard gates.admits(one.queue), counted.take(one.origin) else { return false }
      gates.add(1, to: one.queue)
      return true
    }
    for row in rows where try row[6] as Bool {
      guard !order.isFull else { break }
      let one = try Candidate(row)
      order.add(one, priority: one.priority, hasFailed: one.hasFailed, admits)
    }
    let isEnough = order.found.count >= limit || rows.count < steps
    order.finish(admits)
    return (order.found, isEnough)
  }

  /// Returns jobs that can be claimed, by origin: if an origin is at its limit, none of its jobs is checked, no matter
  /// how many there are.
  private func byOrigin(_ db: FleetSession, _ jobs: JobsPerOrigin, from point: QueuePoint?) throws -> [Candidate] {
    let origins = try origins(db).filter { jobs.room(at: $0) > 0 }
    guard !origins.isEmpty else { return [] }
    var candidates = try walk(db, of: origins, jobs, from: point, "true")
    // After these failed jobs in the queue, other jobs may exist that should be tried first.
    let behind = Set(candidates.lazy.filter(\.hasFailed).map(\.origin)).sorted()
    if !behind.isEmpty {
      let known = Set(candidates.map(\.id))
      candidates += try walk(db, of: behind, jobs, from: point, "retries_used = 0").filter { !known.contains($0.id) }
    }
    return chosen(of: candidates, jobs)
  }

  /// Returns the first of the candidates that the limits allow.
  private func chosen(of candidates: [Candidate], _ jobs: JobsPerOrigin) -> [Candidate] {
    var (counted, gates) = (jobs, queues)
    var found: [Candidate] = []
    for one in candidates.sorted(by: Candidate.isSooner) where found.count < limit + spare && gates.admits(one.queue) {
      guard counted.take(one.origin) else { continue }
      gates.add(1, to: one.queue)
      found.append(one)
    }
    return found
  }

  /// Returns the jobs that can be claimed and meet a condition; for each origin, as many as its limit allows.
  private func walk(
    _ db: FleetSession, of origins: [String], _ jobs: JobsPerOrigin, from point: QueuePoint?, _ condition: SQL
  ) throws -> [Candidate] {
    try db.rows(
      """
      SELECT found.* FROM unnest(\(origins), \(origins.map { min(limit, jobs.room(at: $0)) })) AS wanted (origin, room) CROSS JOIN LATERAL (
        SELECT \(raw: FleetSearch.columns) FROM hot
        WHERE state = 'queued' AND hot.origin = wanted.origin AND \(FleetSearch.isFrom(point)) AND \(FleetSearch.isNotIn(queues.shut)) AND \(isDue)
          AND \(isNotHeld) AND \(scope.fleetCondition) AND \(condition)
        ORDER BY \(raw: FleetSearch.order) LIMIT wanted.room) AS found
      """
    ).map { try Candidate($0) }
  }

  /// Returns the origins of queued jobs with one index lookup for each origin, not for each job.
  private func origins(_ db: FleetSession) throws -> [String] {
    try db.values(
      """
      WITH RECURSIVE named (origin) AS (
        (SELECT origin FROM hot WHERE state = 'queued' ORDER BY origin LIMIT 1)
        UNION ALL
        SELECT (SELECT origin FROM hot WHERE state = 'queued' AND origin > named.origin ORDER BY origin LIMIT 1)
        FROM named WHERE named.origin IS NOT NULL)
      SELECT origin FROM named WHERE origin IS NOT NULL
      """)
  }

  /// Returns the windows of queued jobs with one index lookup for each window, not for each job.
  static func windows(_ db: FleetSession) throws -> [String] {
    try db.values(
      """
      WITH RECURSIVE named (text) AS (
        (SELECT transfer_window FROM hot WHERE state = 'queued' AND transfer_window IS NOT NULL
          ORDER BY transfer_window LIMIT 1)
        UNION ALL
        SELECT (SELECT transfer_window FROM hot
          WHERE state = 'queued' AND transfer_window IS NOT NULL AND transfer_window > named.text
          ORDER BY transfer_window LIMIT 1)
        FROM named WHERE named.text IS NOT NULL)
      SELECT text FROM named WHERE text IS NOT NULL
      """)
  }

  // MARK: Due times

  /// Implements ``JobOwning/nextDue(_:runner:)``.
  /// - Returns: The time, and whether a job before `point` is already due.
  func nextDue(
    _ db: FleetSession, _ jobs: JobsPerOrigin, from point: QueuePoint?
  ) throws -> (time: Double?, isBeforePoint: Bool) {
    if let lanes { return try nextDue(db, lanes, jobs, from: point) }
    let full = jobs.full
    let isRoomy: SQL = full.isEmpty ? "true" : "hot.origin <> ALL(\(full.sorted()))"
    let condition: SQL = "state = 'queued' AND \(isRoomy) AND \(FleetSearch.isFree) AND \(isReached)"
    // In a long queue, some job near the head is usually due.
    let isAnyDue = try db.isTrue(
      """
      SELECT EXISTS (SELECT 1 FROM \(scope.fleetSource) WHERE \(condition) AND \(FleetSearch.isFrom(point)) AND \(isDue)
        AND \(isNotHeld) AND \(FleetSearch.isNotIn(queues.shut)))
      """)
    if isAnyDue { return (now, false) }
    let time: Double? = try db.value(
      """
      SELECT min(greatest(
        \(now),
        CASE WHEN \(FleetSearch.isOver("not_before", now: now)) THEN \(now) ELSE not_before END,
        CASE WHEN \(FleetSearch.isOver("start_at", now: now)) THEN \(now) ELSE start_at END,
        (SELECT opening FROM unnest(\(closed.keys.sorted()), \(closed.sorted { $0.key < $1.key }.map(\.value)))
          AS closed (text, opening) WHERE closed.text = transfer_window),
        (SELECT hold_until FROM origins
          WHERE origins.origin = hot.origin AND held_at <= \(now + PostgresStore.clockDifference) AND NOT \(HoldColumn.passes)),
        (SELECT opening FROM unnest(\(queues.until.keys.sorted()), \(queues.until.sorted { $0.key < $1.key }.map(\.value)))
          AS opens (name, opening) WHERE opens.name = hot.queue)))
      FROM \(scope.fleetSource) WHERE \(condition) AND \(FleetSearch.isNotIn(queues.waiting))
      """)
    return (time, point != nil && time == now)
  }
}

extension FleetSearch.Candidate {
  init(_ row: PostgresRow) throws {
    self.init(
      id: try row[0], priority: try row[1], place: try row[2], origin: try row[3], queue: try row[4],
      hasFailed: try row[5])
  }
}

#endif
