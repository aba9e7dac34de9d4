// Finds jobs by number, UUID or URL, and counts them.

import DrayCore
import Postgres

import struct FoundationEssentials.UUID

extension PostgresStore {
  func job(_ id: JobID) async throws(Failure) -> Job? { try await jobs(ids: [id]).first }

  func jobs(ids: [JobID]) async throws(Failure) -> [Job] {
    try await look { db in try PostgresStore.jobs(db, ids: ids) }
  }

  func job(uuid: UUID) async throws(Failure) -> Job? { try await jobs(where: "uuid = \(uuid)").first }

  func find(_ download: DownloadKey) async throws(Failure) -> Job? {
    try await jobs(
      where: """
        url = \(download.url) AND \(raw: ServerColumn.fleetSource) = \(download.source)
          AND (directory = \(download.directory)
            AND (\(download.target)::text IS NULL OR \(raw: ServerColumn.fleetTarget) = \(download.target))
            OR options ->> 'askedDirectory' = \(download.directory))
          AND output IS NOT DISTINCT FROM \(download.output) AND is_safe ORDER BY id DESC LIMIT 1
        """
    ).first
  }

  func known(_ urls: [RequestURL]) async throws(Failure) -> Set<String> {
    try await look { db in try PostgresStore.known(db, urls.map(\.string)) }
  }

  /// Returns the URLs that any job has.
  static func known(_ db: FleetSession, _ urls: [String]) throws -> Set<String> {
    guard !urls.isEmpty else { return [] }
    return Set(
      try db.values(
        "SELECT wanted FROM unnest(\(urls)) AS wanted WHERE EXISTS (SELECT 1 FROM jobs WHERE url = wanted)",
        as: String.self))
  }

  func targetOwner(
    _ name: String, of download: JobSpecification, besides job: JobID
  ) async throws(Failure) -> TargetClash? {
    try await look { db in
      try FleetTargets.owner(
        of: name, in: download.directory, at: download.targetServer, besides: job, db, isLocked: false)
    }
  }

  func completeJob(named name: String, in directory: String, at server: String?) async throws(Failure) -> Job? {
    try await jobs(
      where: """
        \(FleetTargets.isTarget(name, directory)) AND state = 'complete'
          AND (\(server)::text IS NULL OR \(raw: ServerColumn.fleetTarget) = \(server))
          ORDER BY finished_at DESC, id DESC LIMIT 1
        """
    ).first
  }

  func record(_ digest: SourcedDigest, of id: JobID) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      try db.run(
        """
        UPDATE jobs SET digest = \(digest.digest.description), digest_source = \(digest.source.rawValue)
        FROM hot WHERE jobs.id = \(id) AND hot.id = jobs.id AND state = 'complete'
        """) == 1
    }
  }

  func unfinished(among uuids: Set<UUID>) async throws(Failure) -> Set<UUID> {
    guard !uuids.isEmpty else { return [] }
    return try await look { db in
      Set(
        try db.values(
          """
          SELECT uuid FROM jobs JOIN hot ON hot.id = jobs.id
          WHERE uuid = ANY(\(Array(uuids))) AND state NOT IN ('complete', 'failed')
          """, as: UUID.self))
    }
  }

  func states(of ids: Set<JobID>) async throws(Failure) -> [JobID: JobState] {
    guard !ids.isEmpty else { return [:] }
    return try await look { db in
      try db.rows("SELECT id, state FROM hot WHERE id = ANY(\(Array(ids)))").reduce(into: [:]) { states, row in
        states[try row[0]] = JobState(rawValue: try row[1])
      }
    }
  }

  func ids(states: Set<JobState>) async throws(Failure) -> [JobID] {
    try await look { db in try db.values("SELECT id FROM hot WHERE state = ANY(\(states.texts)) ORDER BY id") }
  }

  func counts(ids: Set<JobID>?) async throws(Failure) -> [JobState: Int] {
    try await look { db in
      let rows =
        if let ids {
          try db.rows("SELECT state, count(*) FROM hot WHERE id = ANY(\(Array(ids))) GROUP BY state")
        } else {
          try db.rows("SELECT state, sum(jobs) FROM tallies GROUP BY state HAVING sum(jobs) > 0")
        }
      return try rows.reduce(into: [:]) { counts, row in
        if let state = JobState(rawValue: try row[0]) { counts[state] = try row[1] as Int }
      }
    }
  }

  /// Adds up the differences in `tallies`, if there are many. Other programs may do it at the same time.
  static func foldTallies(_ db: FleetSession) throws(PostgresError) {
    try db.run(
      """
      WITH few AS (SELECT ctid FROM tallies LIMIT 20000 FOR UPDATE SKIP LOCKED),
        gone AS (DELETE FROM tallies WHERE ctid = ANY(ARRAY(SELECT ctid FROM few)) RETURNING queue, state, jobs)
      INSERT INTO tallies SELECT queue, state, sum(jobs) FROM gone GROUP BY 1, 2 HAVING sum(jobs) <> 0
      """)
  }

  func present(among states: Set<JobState>) async throws(Failure) -> Set<JobState> {
    try await look { db in
      Set(
        try db.values(
          """
          SELECT state FROM tallies WHERE state = ANY(\(states.texts)) GROUP BY state HAVING sum(jobs) > 0
          """, as: String.self
        ).compactMap(JobState.init(rawValue:)))
    }
  }

  func newestID() async throws(Failure) -> JobID {
    try await look { db in try db.value("SELECT max(id) FROM jobs") ?? 0 }
  }

  func bodyNames() async throws(Failure) -> Set<String> {
    try await look { db in Set(try db.values("SELECT body FROM jobs WHERE body IS NOT NULL", as: String.self)) }
  }

  // MARK: Groups

  func groups() async throws(Failure) -> [StoredGroup] {
    try await look { db in
      try db.rows("SELECT id, name, url, directory, added_at FROM groups ORDER BY id").map { row in
        StoredGroup(
          label: GroupLabel(id: try row[0], name: try row[1]), url: try row[2], directory: try row[3],
          addedAt: try row[4])
      }
    }
  }

  func ids(inGroup group: GroupID, states: Set<JobState>) async throws(Failure) -> [JobID] {
    try await look { db in
      try db.values(
        """
        SELECT hot.id FROM jobs JOIN hot ON hot.id = jobs.id
        WHERE group_id = \(group) AND state = ANY(\(states.texts)) ORDER BY hot.id
        """)
    }
  }

  /// Returns the number of a group, and creates the group if it does not exist. The caller has the lock on adding.
  static func groupID(_ db: FleetSession, _ group: JobGroup, now: Double) throws -> GroupID {
    let known = try db.value(
      "SELECT id FROM groups WHERE url = \(group.url.string) AND directory = \(group.directory)", as: GroupID.self)
    if let known { return known }
    let made = try db.value(
      """
      INSERT INTO groups (id, name, url, directory, added_at)
      VALUES (nextval('group_numbers'), \(group.name), \(group.url.string), \(group.directory), \(now)) RETURNING id
      """, as: GroupID.self)
    return made ?? 0
  }

  // MARK: History

  func attempts(of id: JobID) async throws(Failure) -> [AttemptRecord] {
    try await look { db in
      // Read this way, the runner may be missing, as in an older store.
      try db.rows(
        """
        SELECT started_at, ended_at, outcome, message, first_byte, last_byte, to_jsonb(attempts) ->> 'runner'
        FROM attempts WHERE job = \(id) ORDER BY id
        """
      ).map { row in
        AttemptRecord(
          startedAt: try row[0], endedAt: try row[1], outcome: try row[2], message: try row[3], firstByte: try row[4],
          lastByte: try row[5], runner: try row[6])
      }
    }
  }

  func endedAttempts(after mark: Int64) async throws(Failure) -> (last: Int64, jobs: [JobID: Int]) {
    guard let before = marks[mark] else {
      let now = try await look { db in try db.value("SELECT pg_current_snapshot()::text", as: String.self) }
      return (marks.add(now ?? ""), [:])
    }
    let (now, jobs) = try await look { db in
      var (now, jobs): (String, [JobID: Int]) = (before, [:])
      // The index leads to the attempts since the oldest transaction that was under way at the mark. Rows that a dump
      // brought back have the numbers of transactions of their former server: they are no news, whatever the numbers are
      // worth here.
      let rows = try db.rows(
        """
        SELECT pg_current_snapshot()::text, job, count(*) FROM attempts
        WHERE xid >= pg_snapshot_xmin(\(before)::pg_snapshot) AND xid < pg_snapshot_xmax(pg_current_snapshot())
          AND NOT pg_visible_in_snapshot(xid, \(before)::pg_snapshot) AND attempts.xmin = xid::xid
        GROUP BY job
        """)
      for row in rows {
        now = try row[0]
        jobs[try row[1]] = try row[2] as Int
      }
      return (now, jobs)
    }
    return (jobs.isEmpty ? mark : marks.add(now), jobs)
  }
}
