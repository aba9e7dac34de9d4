// Assigns queued jobs of the fleet to runners: each job to one runner, most urgent first, no job before its time, and
// no more jobs of an origin than its limit.

#if Postgres

internal import DrayCore
internal import Postgres
internal import Synchronization
internal import Threads

internal import struct FoundationEssentials.UUID

extension PostgresStore {
  func claim(_ query: ClaimQuery, limit: Int, runner: UUID) async throws(Failure) -> [Job] {
    let (scope, queues, now) = (query.scope, query.queues, query.now)
    let search = FleetSearch(scope: scope, limit: limit, now: now, queues: queues)
    let isQuick = !scope.isSet && queues.places.isEmpty && headSuffices.load(ordering: .relaxed)
    var pick = try await pick(search, query.jobsPerOrigin, runner, query.zone, isQuick: isQuick)
    if let admission = pick.admission, admission.isWhole, pick.taken == 0 {
      headSuffices.store(false, ordering: .relaxed)
      let looks = pick.looks
      pick = try await self.pick(search, query.jobsPerOrigin, runner, query.zone, isQuick: false)
      pick.looks = looks + pick.looks
    } else if let isNear = pick.isNear {
      headSuffices.store(isNear, ordering: .relaxed)
    }
    let ids = pick.taken == 0 ? [] : pick.admission?.wanted.map(\.id) ?? []
    let (jobs, fences) = try await taken(ids, runner: runner)
    if scope == .all {
      pace.withLock { pace in
        for look in pick.looks {
          pace.record(
            from: look.start, to: look.head, claims: fences.max(), seconds: look.seconds, ended: look.ended)
        }
      }
    }
    return jobs
  }

  /// Searches for jobs and takes them.
  /// - Parameter isQuick: Whether to try the head of the queue first, without counts.
  private func pick(
    _ search: FleetSearch, _ jobs: JobsPerOrigin, _ runner: UUID, _ zone: LocalZone, isQuick: Bool
  ) async throws(Failure) -> Pick {
    try await write(
      .lazy, for: runner,
      last: LastStatements(
        make: { $0.admission?.statements ?? [] },
        read: { pick, rows, db in pick.taken = try pick.admission?.read(rows, db.fences) })
    ) { [self] db in
      let (scope, queues) = (search.scope, search.queues)
      let begun = SteadyClock.now()
      let lanes = try FleetLanes.read(db, for: scope, queues)
      let known = try lanes?.windows ?? FleetSearch.windows(db)
      let trip = SteadyClock.now() - begun
      var search = search
      search.lanes = lanes
      search.closed = windows.closed(among: known, now: search.now, zone: zone, opens: false)
      if search.open?.isEmpty ?? false { return Pick() }
      // For a set of jobs, do not look for the head: the set is walked over as a whole.
      var pick = Pick()
      if !queues.places.isEmpty {
        let reachable = try search.reachable(db)
        if reachable.isEmpty { return pick }
        search.reachable = reachable
      } else if scope == .all {
        pick = try look(search, db, trip: trip)
      } else if lanes != nil {
        pick.head = try search.head(db, from: nil)
      }
      if search.reachable == nil, scope == .all || lanes != nil, pick.head == nil { return pick }
      let (found, isWhole): ([FleetSearch.Candidate], Bool)
      if isQuick, let near = try search.reserved(db, jobs, from: pick.head) {
        (found, isWhole, pick.isNear) = (near.found, !near.isAll, true)
      } else {
        (found, pick.isNear) = try search.admitted(db, jobs, runner: runner, from: pick.head)
        // The head did not suffice, so the next claim does not try the head first.
        if isQuick { pick.isNear = false }
        isWhole = false
      }
      pick.admission = FleetAdmission(
        runner: runner, limit: search.limit, jobs: jobs, queues: queues, isNotHeld: search.isNotHeld,
        ownedJobs: db.fences.ownedJobs, lesson: db.fences.lesson, wanted: search.sorted(found), isWhole: isWhole)
      return pick
    }
  }

  /// The jobs that a claim chose, and what its looks found out about the head of the queue.
  private struct Pick: Sendable {
    struct Look: Sendable {
      var start: QueuePoint?
      var head: QueuePoint?
      var (seconds, ended): (Double, Double)
    }

    var admission: FleetAdmission?
    /// The number of jobs that the claim took; `nil` if unknown.
    var taken: Int?
    /// Whether the head of the queue sufficed; `nil` if there was no search.
    var isNear: Bool?
    var looks: [Look] = []
    var head: QueuePoint?
  }

  /// Finds the first due job of the queue, and records how long each look took.
  /// - Parameter trip: The duration of a quick statement, which is about that of a round trip.
  private func look(_ search: FleetSearch, _ db: FleetSession, trip: Double) throws -> Pick {
    var pick = Pick()
    func look(from start: QueuePoint?) throws {
      let begun = SteadyClock.now()
      let head = try search.head(db, from: start)
      let ended = SteadyClock.now()
      pick.looks.append(Pick.Look(start: start, head: head, seconds: max(0, ended - begun - trip), ended: ended))
      pick.head = head
    }
    let known = pace.withLock(\.self)
    let start = known.start(now: SteadyClock.now())
    try look(from: start)
    // If nothing is due from the last head on, a job may have been queued before that head.
    if pick.head == nil, start != nil, known.looksAgain(now: SteadyClock.now()) { try look(from: nil) }
    return pick
  }

  // MARK: Taking jobs

  /// Returns the statements that make jobs in these states active with `runner`, regardless of limits. They skip jobs
  /// that another program is changing.
  static func marking(_ ids: [JobID], in states: Set<JobState>, _ runner: UUID) -> [SQL] {
    guard !ids.isEmpty else { return [] }
    return [
      FleetSchema.Lock.claiming.statement(isShared: true),
      """
      WITH free AS (
        SELECT id FROM hot WHERE id = ANY(\(ids)) AND state = ANY(\(states.texts)) ORDER BY id
        FOR UPDATE SKIP LOCKED)
      UPDATE hot SET \(newClaim(runner)) FROM free WHERE hot.id = free.id
      """,
    ]
  }

  /// The columns that a claim sets.
  static func newClaim(_ runner: UUID) -> SQL {
    """
    state = 'active', runner = \(runner), \(OwnedJobs.newFence), command = NULL, attempts = attempts + 1,
      not_before = NULL, waiting_since = NULL, start_at = NULL
    """
  }

  /// Writes an empty record to the log, because the server does not wait for the disk when a transaction that has
  /// written nothing commits.
  static let logRecord: SQL = "SELECT 1 FROM pg_logical_emit_message(true, 'dray', ''::text)"

  func settledJob(_ id: JobID) async throws(Failure) -> Job? {
    try await access { db in
      _ = try db.all([PostgresStore.logRecord])
      return try PostgresStore.jobs(db, ids: [id]).first
    }
  }

  /// Returns the jobs among `ids` that `runner` took, in this order, once the claim is on disk.
  ///
  /// The commit of a claim does not wait for the disk, because other claims wait for its locks. This second transaction
  /// writes a record to the log, and its commit does wait. The log is written in order, so the claim is then on disk as
  /// well, and one disk write serves all waiting runners. No job starts before that.
  ///
  /// If a crash of the server undoes the claim before this transaction, the rows do not name the runner, and no job is
  /// returned. The server may then give the fences of that claim again. Nobody has used them: the log has the record of
  /// a fence before that of its claim, so a fence that this function has returned is never given again. For the same
  /// reason, nothing that was learned about fences outlives the connection (``KnownFences``).
  func taken(_ ids: [JobID], runner: UUID) async throws(Failure) -> (jobs: [Job], fences: [Int64]) {
    guard !ids.isEmpty else { return ([], []) }
    let found: [JobID: (job: Job, fence: Int64)]
    do {
      found = try await access(for: runner) { db in
        let results = try db.all([
          PostgresStore.logRecord,
          "SELECT \(raw: FleetJobReader.columns) FROM all_jobs WHERE id = ANY(\(ids)) AND \(OwnedJobs.isOwner(runner))",
        ])
        var reader = FleetJobReader()
        var found: [JobID: (job: Job, fence: Int64)] = [:]
        for row in results[1] {
          let job = try reader.job(row)
          found[job.id] = (job, try FleetJobReader.fence(row))
        }
        db.fences.saw(found.values.map(\.fence))
        return found
      }
    } catch {
      // If the database cannot be reached, the jobs stay claimed until the lease ends.
      if error.recovery == .keep { _ = try? await giveBack(ids, runner: runner) }
      throw error
    }
    // While this call waited, another call may have taken and released the same job.
    let new = ids.compactMap { found[$0] }.filter { held.record($0.fence, of: $0.job.id, runner: runner) }
    return (new.map(\.job), new.map(\.fence))
  }

  func giveBack(_ ids: [JobID], runner: UUID) async throws(Failure) -> Set<JobID> {
    let fences = held.fences(of: ids, runner: runner)
    let kept = try await write(.lazy, for: runner) { db in
      try db.run(
        """
        UPDATE hot SET state = 'queued', runner = NULL, attempts = attempts - 1
        FROM unnest(\(ids), \(fences)) AS mine (job, claim)
        WHERE hot.id = mine.job AND \(OwnedJobs.isOwner(runner)) AND mine.claim IN (0, fence) AND command IS NULL
        """)
      return Set(
        try db.values(
          "SELECT id FROM hot WHERE id = ANY(\(ids)) AND \(OwnedJobs.isOwner(runner))", as: JobID.self))
    }
    held.forget(Set(ids).subtracting(kept), runner: runner)
    return kept
  }

  func nextDue(_ query: ClaimQuery, runner: UUID) async throws(Failure) -> Double? {
    let (scope, queues, now) = (query.scope, query.queues, query.now)
    let start = scope == .all ? pace.withLock { $0.start(now: SteadyClock.now()) } : nil
    let due = try await access(for: runner) { [windows] db in
      let lanes = try FleetLanes.read(db, for: scope, queues)
      let known = try lanes?.windows ?? FleetSearch.windows(db)
      let closed = windows.closed(among: known, now: now, zone: query.zone, opens: true)
      let held = try OwnedCounts(db, query.jobsPerOrigin, queues, runner: runner)
      let search = FleetSearch(
        scope: scope, limit: 1, now: now, queues: held.added(to: queues), closed: closed, lanes: lanes)
      return try search.nextDue(db, held.added(to: query.jobsPerOrigin), from: start)
    }
    // Record this; otherwise claims would skip the job again and again, and this search would report it each time.
    if due.isBeforePoint { pace.withLock { $0.jobIsBeforeHead() } }
    return due.time
  }

  func mayGoOn(scope: ClaimScope, queues: QueueGates, now: Double) async throws(Failure) -> Bool {
    try await access { db in
      // Ignore windows, because each of them opens at some time.
      var search = FleetSearch(scope: scope, limit: 1, now: now, queues: queues.withoutLimits)
      search.lanes = try FleetLanes.read(db, for: scope, queues)
      if try search.nextDue(db, .unlimited, from: nil).time != nil { return true }
      return try db.isTrue(
        """
        SELECT EXISTS (
          SELECT 1 FROM prerequisites JOIN hot AS first ON first.id = prerequisite JOIN hot ON hot.id = job
          WHERE first.state = 'active' AND hot.state = 'queued' AND \(scope.fleetCondition))
        """)
    }
  }

  func pending(scope: ClaimScope, runner: UUID) async throws(Failure) -> PendingJobs {
    try await access(for: runner) { db in
      let queued: SQL =
        scope == .all
        ? "SELECT coalesce(sum(jobs), 0)::int8, count(*) FROM tallies WHERE state = 'queued'"
        : try FleetLanes.read(db, for: scope, .open).map(scope.count)
          ?? "SELECT count(*), 0::int8 FROM \(scope.fleetSource) WHERE state = 'queued' AND \(scope.fleetRest)"
      let results = try db.all([
        queued,
        """
        SELECT count(*) FILTER (WHERE runner = \(runner)), count(*) FILTER (WHERE runner <> \(runner))
        FROM \(db.fences.ownedJobs) WHERE \(scope.fleetCondition)
        """,
      ])
      guard let first = results[0].first, let second = results[1].first else {
        return PendingJobs(queued: 0, activeElsewhere: 0, mine: 0)
      }
      if try first[1] as Int > 1000 { try PostgresStore.foldTallies(db) }
      return PendingJobs(queued: max(0, try first[0]), activeElsewhere: try second[1], mine: try second[0])
    }
  }

  func requeueInterrupted(
    scope: ClaimScope, _ continued: ContinuedJobs, now: Double
  ) async throws(Failure) -> [JobID] {
    try await write(.durable) { db in
      try db.values(
        """
        UPDATE hot SET state = 'queued', retries_used = 0
        WHERE state = 'interrupted' AND submitted_at IS NULL AND \(scope.fleetCondition)
          AND \(continued.fleetCondition)
          AND (\(FleetSearch.isOver("not_before", now: now))
            OR not_before - \(now) <= (SELECT (options ->> 'maxRetryWait')::float8 FROM jobs WHERE jobs.id = hot.id))
        RETURNING id
        """)
    }
  }

  func requeueAbandoned(scope: ClaimScope, _ continued: ContinuedJobs) async throws(Failure) -> [JobID] {
    let abandoned: SQL = """
      state = 'interrupted' AND submitted_at IS NULL AND \(scope.fleetCondition) AND \(continued.fleetCondition)
        AND EXISTS (SELECT 1 FROM jobs WHERE jobs.id = hot.id AND failure IS NULL)
      """
    // This is called repeatedly during a run, so write only if there is something to do.
    guard try await access({ db in try db.isTrue("SELECT EXISTS (SELECT 1 FROM hot WHERE \(abandoned))") }) else {
      return []
    }
    return try await write(.lazy) { db in
      try db.values("UPDATE hot SET state = 'queued', retries_used = 0 WHERE \(abandoned) RETURNING id")
    }
  }
}

extension ContinuedJobs {
  /// A condition for an interrupted row of `hot`.
  fileprivate var fleetCondition: SQL {
    switch self {
    case .all: "true"
    case .ofClients:
      "EXISTS (SELECT 1 FROM jobs WHERE jobs.id = hot.id AND (request::jsonb ->> 'isOfClient')::bool)"
    }
  }
}

#endif
