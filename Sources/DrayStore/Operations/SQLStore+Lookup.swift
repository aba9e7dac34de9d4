// Finds jobs by number, UUID or URL, and counts them.

internal import DrayCore

internal import struct FoundationEssentials.UUID

extension SQLStore {
  func job(_ id: JobID) async throws(Failure) -> Job? { try await jobs(ids: [id]).first }

  func jobs(ids: [JobID]) async throws(Failure) -> [Job] {
    try await look { db in try Self.jobs(db, ids: ids) }
  }

  func job(uuid: UUID) async throws(Failure) -> Job? {
    try await look { db in try Self.jobs(db, where: "uuid = \(uuid)").first }
  }

  /// Returns the jobs in the order of `ids`.
  static func jobs(_ db: Session, ids: [JobID]) throws -> [Job] {
    guard let id = ids.first else { return [] }
    if ids.count == 1 { return try jobs(db, where: "id = \(id)") }
    let found = RowsByID(try jobs(db, where: "id \(in: ids)")) { $0.id }
    return ids.compactMap { found[$0] }
  }

  /// A condition for the jobs of a download whose requests may be repeated automatically.
  static func isDownload(_ key: DownloadKey) -> SQL {
    """
    url = \(key.url) AND \(ServerColumn.source) = \(key.source) AND directory = \(key.directory)
      AND \(ServerColumn.target) = \(key.target) AND output \(.isSame) \(key.output) AND \(.isSafe)
    """
  }

  func find(_ download: DownloadKey) async throws(Failure) -> Job? {
    try await look { db in
      try Self.jobs(
        db,
        where: """
          url = \(download.url) AND \(ServerColumn.source) = \(download.source)
            AND (directory = \(download.directory)
              AND (\(download.target) IS NULL OR \(ServerColumn.target) = \(download.target))
              OR \(.option("askedDirectory")) = \(download.directory))
            AND output \(.isSame) \(download.output) AND \(.isSafe) ORDER BY id DESC LIMIT 1
          """
      ).first
    }
  }

  func targetOwner(
    _ name: String, of download: JobSpecification, besides job: JobID
  ) async throws(Failure) -> TargetClash? {
    try await look { db in
      try Targets.owner(
        of: name, in: download.directory, at: download.targetServer, besides: job, db, isLocked: false)
    }
  }

  func completeJob(named name: String, in directory: String, at server: String?) async throws(Failure) -> Job? {
    try await look { db in
      try Self.jobs(
        db,
        where: """
          \(Targets.isTarget(name, directory)) AND state = 'complete'
            AND (\(server) IS NULL OR \(ServerColumn.target) = \(server))
            ORDER BY finished_at DESC, id DESC LIMIT 1
          """
      ).first
    }
  }

  func known(_ urls: [RequestURL]) async throws(Failure) -> Set<String> {
    try await look { db in
      Set(
        try db.values(
          """
          SELECT wanted.value FROM \(each: urls.map(\.string), "wanted")
          WHERE EXISTS (SELECT 1 FROM jobs WHERE url = wanted.value)
          """, as: String.self))
    }
  }

  func prerequisites(of id: JobID) async throws(Failure) -> [JobID] {
    try await look { db in
      try db.values(
        "SELECT prerequisite FROM prerequisites WHERE job = \(id) ORDER BY prerequisite", as: JobID.self)
    }
  }

  func failedDependents(of id: JobID) async throws(Failure) -> [Job] {
    try await look { db in try Self.jobs(db, ids: try Prerequisites.failedDependents(db, of: id)) }
  }

  func record(_ digest: SourcedDigest, of id: JobID) async throws(Failure) -> Bool {
    try await transaction(.durable) { db in
      try db.run(
        """
        UPDATE jobs SET digest = \(digest.digest.description), digest_source = \(digest.source.rawValue)
        \(postgres: "FROM hot ")WHERE jobs.id = \(id) AND \(postgres: "hot.id = jobs.id AND ")state = 'complete'
        """) == 1
    }
  }

  func unfinished(among uuids: Set<UUID>) async throws(Failure) -> Set<UUID> {
    guard !uuids.isEmpty else { return [] }
    return try await look { db in
      Set(
        try db.values(
          "SELECT uuid FROM \(.jobs) WHERE uuid \(in: Array(uuids)) AND state NOT IN ('complete', 'failed')",
          as: UUID.self))
    }
  }

  func states(of ids: Set<JobID>) async throws(Failure) -> [JobID: JobState] {
    guard !ids.isEmpty else { return [:] }
    return try await look { db in
      try db.rows("SELECT id, state FROM \(.hot) WHERE id \(in: Array(ids))").reduce(into: [:]) { states, row in
        states[try row[0]] = JobState(rawValue: try row[1])
      }
    }
  }

  func ids(states: Set<JobState>) async throws(Failure) -> [JobID] {
    try await look { db in
      try db.values("SELECT id FROM \(.hot) WHERE state \(in: states) ORDER BY id", as: JobID.self)
    }
  }

  func counts(ids: Set<JobID>?) async throws(Failure) -> [JobState: Int] {
    try await look { db in
      let rows =
        if let ids {
          try db.rows("SELECT state, count(*) FROM \(.hot) WHERE id \(in: Array(ids)) GROUP BY state")
        } else {
          try db.rows(
            """
            SELECT state, \(sqlite: "count(*) FROM jobs", postgres: "sum(jobs) FROM tallies")
            GROUP BY state\(postgres: " HAVING sum(jobs) > 0")
            """)
        }
      return try rows.reduce(into: [:]) { counts, row in
        if let state = JobState(rawValue: try row[0]) { counts[state] = try row[1] as Int }
      }
    }
  }

  func newestID() async throws(Failure) -> JobID {
    try await look { db in try db.value("SELECT max(id) FROM jobs", as: JobID.self) ?? 0 }
  }

  func bodyNames() async throws(Failure) -> Set<String> {
    try await look { db in Set(try db.values("SELECT body FROM jobs WHERE body IS NOT NULL", as: String.self)) }
  }

  func attempts(of id: JobID) async throws(Failure) -> [AttemptRecord] {
    try await look { db in
      // Read the runner as optional, because stores of one machine, and older stores, do not have it.
      try db.rows(
        """
        SELECT started_at, ended_at, outcome, message, first_byte, last_byte,
          \(sqlite: "NULL", postgres: "to_jsonb(attempts) ->> 'runner'")
        FROM attempts WHERE job = \(id) ORDER BY id
        """
      ).map { row in
        AttemptRecord(
          startedAt: try row[0], endedAt: try row[1], outcome: try row[2], message: try row[3], firstByte: try row[4],
          lastByte: try row[5], runner: try row[6])
      }
    }
  }
}
