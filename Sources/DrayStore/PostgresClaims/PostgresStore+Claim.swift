// Assigns queued jobs to a runner of the fleet: each to one runner, most urgent first, none before its time, no origin
// above its limit.

import DrayCore
import Postgres
import Synchronization
import Threads

import struct FoundationEssentials.UUID

extension PostgresStore {
  func claim(
    runner: UUID, limit: Int, scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, queues: QueueGates, now: Double,
    zone: LocalZone
  ) async throws(Failure) -> [Job] {
    // A set of jobs is walked as a whole anyway.
    let start = scope == .all ? pace.withLock { $0.start(now: SteadyClock.now()) } : nil
    // Claims without limits skip jobs that another claim has locked. Claims under limits take turns, so that their
    // counts hold.
    let isLimited = jobsPerOrigin != .unlimited || !queues.limits.isEmpty
    let (jobs, fences, last, seconds) = try await write(.durable, for: runner) { [windows] db in
      let closed = windows.closed(among: try FleetSearch.windows(db), now: now, zone: zone, opens: false)
      var found: [FleetSearch.Candidate]
      if isLimited { try db.lock(.claiming) }
      let begun = SteadyClock.now()
      if isLimited {
        let search = FleetSearch(
          scope: scope, limit: limit, now: now, queues: try queues.withActive(db), closed: closed)
        found = try search.admitted(db, jobsPerOrigin.withOthers(db, runner: runner), behind: start)
      } else {
        let search = FleetSearch(scope: scope, limit: limit, now: now, queues: queues, closed: closed)
        found = try search.first(db, behind: start)
      }
      let seconds = SteadyClock.now() - begun
      let (jobs, fences) = try PostgresStore.take(db, found.map(\.id), in: [.queued], runner: runner)
      found.sort(by: FleetSearch.Candidate.isSooner)
      return (jobs, fences, found.last?.point, seconds)
    }
    if scope == .all {
      let ended = SteadyClock.now()
      pace.withLock { $0.record(from: start, to: last, claims: fences.max(), seconds: seconds, ended: ended) }
    }
    for (job, fence) in zip(jobs, fences) { held.record(fence, of: job.id, runner: runner) }
    if jobs.isEmpty, start != nil {
      // Nothing is behind that place. Something may have been queued before it.
      return try await claimAgain(runner, limit, scope, jobsPerOrigin, queues, now, zone)
    }
    return jobs
  }

  /// Claims from the beginning of the queue, unless that was done a moment ago.
  private func claimAgain(
    _ runner: UUID, _ limit: Int, _ scope: ClaimScope, _ jobsPerOrigin: JobsPerOrigin, _ queues: QueueGates,
    _ now: Double, _ zone: LocalZone
  ) async throws(Failure) -> [Job] {
    guard pace.withLock({ $0.start(now: SteadyClock.now()) }) == nil else { return [] }
    return try await claim(
      runner: runner, limit: limit, scope: scope, jobsPerOrigin: jobsPerOrigin, queues: queues, now: now, zone: zone)
  }

  /// Makes jobs in these states active with `runner`, in this order. Jobs that another program changes at this
  /// moment are left to it.
  static func take(
    _ db: FleetSession, _ ids: [JobID], in states: Set<JobState>, runner: UUID
  ) throws -> (jobs: [Job], fences: [Int64]) {
    guard !ids.isEmpty else { return ([], []) }
    let results = try db.all([
      """
      WITH free AS (
        SELECT id FROM hot WHERE id = ANY(\(ids)) AND state = ANY(\(states.texts)) ORDER BY id
        FOR UPDATE SKIP LOCKED)
      UPDATE hot SET state = 'active', runner = \(runner), fence = nextval('fences'), command = NULL,
        attempts = attempts + 1, not_before = NULL, waiting_since = NULL, start_at = NULL
      FROM free WHERE hot.id = free.id RETURNING hot.id
      """,
      "SELECT \(raw: FleetJobReader.columns) FROM all_jobs WHERE id = ANY(\(ids)) AND runner = \(runner)",
    ])
    let taken = Set(try results[0].map { try $0[0] as JobID })
    var reader = FleetJobReader()
    var found: [JobID: (job: Job, fence: Int64)] = [:]
    for row in results[1] {
      let job = try reader.job(row)
      if taken.contains(job.id) { found[job.id] = (job, try FleetJobReader.fence(row)) }
    }
    let ordered = ids.compactMap { found[$0] }
    return (ordered.map(\.job), ordered.map(\.fence))
  }

  func giveBack(_ ids: [JobID], runner: UUID) async throws(Failure) -> Set<JobID> {
    let fences = held.fences(of: ids, runner: runner)
    let kept = try await write(.lazy, for: runner) { db in
      try db.run(
        """
        UPDATE hot SET state = 'queued', runner = NULL, attempts = attempts - 1
        FROM unnest(\(ids), \(fences)) AS mine (job, claim)
        WHERE hot.id = mine.job AND runner = \(runner) AND mine.claim IN (0, fence) AND command IS NULL
        """)
      return Set(
        try db.values("SELECT id FROM hot WHERE id = ANY(\(ids)) AND runner = \(runner)", as: JobID.self))
    }
    held.forget(Set(ids).subtracting(kept), runner: runner)
    return kept
  }

  func nextDue(
    scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, queues: QueueGates, runner: UUID, now: Double, zone: LocalZone
  ) async throws(Failure) -> Double? {
    let start = scope == .all ? pace.withLock { $0.start(now: SteadyClock.now()) } : nil
    return try await access(for: runner) { [windows] db in
      let closed = windows.closed(among: try FleetSearch.windows(db), now: now, zone: zone, opens: true)
      let search = FleetSearch(scope: scope, limit: 1, now: now, queues: try queues.withActive(db), closed: closed)
      return try search.nextDue(db, jobsPerOrigin.withOthers(db, runner: runner), behind: start)
    }
  }

  func mayGoOn(scope: ClaimScope, queues: QueueGates, now: Double) async throws(Failure) -> Bool {
    try await access { db in
      // Ignore windows: each of them opens at some time.
      let search = FleetSearch(scope: scope, limit: 1, now: now, queues: queues.withoutLimits)
      if try search.nextDue(db, .unlimited, behind: nil) != nil { return true }
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
        : "SELECT count(*), 0::int8 FROM \(scope.fleetSource) WHERE state = 'queued' AND \(scope.fleetRest)"
      let results = try db.all([
        queued,
        """
        SELECT count(*) FILTER (WHERE runner = \(runner)), count(*) FILTER (WHERE runner <> \(runner)) FROM hot
        WHERE runner IS NOT NULL AND \(scope.fleetCondition)
        """,
      ])
      guard let first = results[0].first, let second = results[1].first else {
        return PendingJobs(queued: 0, activeElsewhere: 0, mine: 0)
      }
      if try first[1] as Int > 1000 { try PostgresStore.foldTallies(db) }
      return PendingJobs(queued: max(0, try first[0]), activeElsewhere: try second[1], mine: try second[0])
    }
  }

  func requeueInterrupted(scope: ClaimScope, now: Double) async throws(Failure) -> [JobID] {
    try await write(.lazy) { db in
      try db.values(
        """
        UPDATE hot SET state = 'queued', retries_used = 0
        WHERE state = 'interrupted' AND submitted_at IS NULL AND \(scope.fleetCondition)
          AND (\(FleetSearch.isOver("not_before", now: now))
            OR not_before - \(now) <= (SELECT (options ->> 'maxRetryWait')::float8 FROM jobs WHERE jobs.id = hot.id))
        RETURNING id
        """)
    }
  }

  func requeueAbandoned(scope: ClaimScope) async throws(Failure) -> [JobID] {
    let abandoned: SQL = """
      state = 'interrupted' AND submitted_at IS NULL AND \(scope.fleetCondition)
        AND EXISTS (SELECT 1 FROM jobs WHERE jobs.id = hot.id AND failure IS NULL)
      """
    // Called repeatedly during a run: write only if there is something to do.
    guard try await access({ db in try db.isTrue("SELECT EXISTS (SELECT 1 FROM hot WHERE \(abandoned))") }) else {
      return []
    }
    return try await write(.lazy) { db in
      try db.values("UPDATE hot SET state = 'queued', retries_used = 0 WHERE \(abandoned) RETURNING id")
    }
  }
}
