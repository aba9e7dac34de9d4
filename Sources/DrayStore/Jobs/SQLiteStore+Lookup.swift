// Finds jobs by number, UUID or URL, and counts them.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func job(_ id: JobID) async throws(Failure) -> Job? { try await jobs(ids: [id]).first }

  func jobs(ids: [JobID]) async throws(Failure) -> [Job] {
    try await look { db in try SQLiteStore.jobs(db, ids: ids) }
  }

  static func jobs(_ db: Database, ids: [JobID]) throws -> [Job] {
    var reader = JobReader()
    let select = try db.cachedStatement(sql: "SELECT \(JobReader.columns) FROM jobs WHERE id = ?")
    return try ids.compactMap { id in
      try Row.fetchOne(select, arguments: [id]).map { try reader.job($0) }
    }
  }

  func job(uuid: UUID) async throws(Failure) -> Job? {
    try await jobs("uuid = ?", [uuid.uuidString]).first
  }

  func find(_ download: DownloadKey) async throws(Failure) -> Job? {
    try await jobs(
      """
      url = ?1 AND \(ServerColumn.source) = ?2
        AND (directory = ?3 AND (?4 IS NULL OR \(ServerColumn.target) = ?4) OR json_extract(options, '$.askedDirectory') = ?3)
        AND output IS ?5 AND \(SQLiteStore.isSafe) ORDER BY id DESC LIMIT 1
      """,
      SQLiteStore.arguments(download)
    )
    .first
  }

  func known(_ urls: [RequestURL]) async throws(Failure) -> Set<String> {
    try await look { db in try SQLiteStore.known(db, urls) }
  }

  /// Returns whether there is no job at all.
  static func isEmpty(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(sql: "SELECT NOT EXISTS (SELECT 1 FROM jobs)")) ?? false
  }

  /// Returns the known URLs within the caller's transaction.
  static func known(_ db: Database, _ urls: some Sequence<RequestURL>) throws -> Set<String> {
    Set(
      try String.fetchAll(
        db, sql: "SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM jobs WHERE url = value)",
        arguments: [RecordText.list(urls.map(\.string))]))
  }

  func targetOwner(
    _ name: String, of download: JobSpecification, besides job: JobID
  ) async throws(Failure) -> TargetClash? {
    try await look { db in
      try Targets.owner(of: name, in: download.directory, at: download.targetServer, besides: job, db)
    }
  }

  func completeJob(named name: String, in directory: String, at server: String?) async throws(Failure) -> Job? {
    try await jobs(
      """
      directory = ?1 AND file_name = ?2 AND state = 'complete' AND (?3 IS NULL OR \(ServerColumn.target) = ?3)
        ORDER BY finished_at DESC, id DESC LIMIT 1
      """,
      [directory, name, server]
    ).first
  }

  func record(_ digest: SourcedDigest, of id: JobID) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      try db.execute(
        sql: "UPDATE jobs SET digest = ?, digest_source = ? WHERE id = ? AND state = 'complete'",
        arguments: [digest.digest.description, digest.source.rawValue, id])
      return db.changesCount == 1
    }
  }

  func unfinished(among uuids: Set<UUID>) async throws(Failure) -> Set<UUID> {
    guard !uuids.isEmpty else { return [] }
    return try await look { db in
      let select = try db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM jobs WHERE uuid = ? AND state NOT IN ('complete', 'failed'))")
      return try uuids.filter { try Bool.fetchOne(select, arguments: [$0.uuidString]) ?? false }
    }
  }

  func states(of ids: Set<JobID>) async throws(Failure) -> [JobID: JobState] {
    try await look { db in
      let select = try db.cachedStatement(sql: "SELECT state FROM jobs WHERE id = ?")
      return try ids.reduce(into: [:]) { states, id in
        states[id] = try String.fetchOne(select, arguments: [id]).flatMap(JobState.init)
      }
    }
  }

  func ids(states: Set<JobState>) async throws(Failure) -> [JobID] {
    try await look { db in
      try JobID.fetchAll(db, sql: "SELECT id FROM jobs WHERE state IN (\(states.sql)) ORDER BY id")
    }
  }

  func counts(ids: Set<JobID>?) async throws(Failure) -> [JobState: Int] {
    try await look { db in
      var counts: [JobState: Int] = [:]
      guard let ids else {
        for row in try Row.fetchAll(db, sql: "SELECT state, count(*) FROM jobs GROUP BY state") {
          if let state = JobState(rawValue: try row[0]) { counts[state] = try row[1] }
        }
        return counts
      }
      let select = try db.cachedStatement(sql: "SELECT state FROM jobs WHERE id = ?")
      for id in ids {
        if let state = try String.fetchOne(select, arguments: [id]).flatMap(JobState.init) {
          counts[state, default: 0] += 1
        }
      }
      return counts
    }
  }

  func present(among states: Set<JobState>) async throws(Failure) -> Set<JobState> {
    try await look { db in try states.filter { state in try SQLiteStore.isPresent(db, state) } }
  }

  /// Returns whether any job is in this state, by one index lookup.
  static func isPresent(_ db: Database, _ state: JobState) throws -> Bool {
    // The state is part of the text. As an argument it would decide which indexes apply, and SQLite would compile the
    // statement again for each state.
    let select = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM jobs WHERE state = \(Set([state]).sql))")
    return try Bool.fetchOne(select) ?? false
  }

  func attempts(of id: JobID) async throws(Failure) -> [AttemptRecord] {
    try await look { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT started_at, ended_at, outcome, message, first_byte, last_byte
          FROM attempts WHERE job = ? ORDER BY id
          """, arguments: [id]
      ).map { row in
        AttemptRecord(
          startedAt: try row[0], endedAt: try row[1], outcome: try row[2], message: try row[3], firstByte: try row[4],
          lastByte: try row[5])
      }
    }
  }

  /// A condition for the jobs of a download that may be repeated automatically. Its first five parameters are
  /// ``arguments(_:)``.
  static let isDownload = """
    url = ?1 AND \(ServerColumn.source) = ?2 AND directory = ?3 AND \(ServerColumn.target) = ?4 AND output IS ?5
      AND \(isSafe)
    """

  static func arguments(_ download: DownloadKey) -> StatementArguments {
    [download.url, download.source, download.directory, download.target, download.output]
  }

  /// A condition for a job whose request may be repeated automatically (``DrayCore/TransferRequest/isSafe``).
  static let isSafe = "(json_extract(request, '$.method') IN ('GET', 'HEAD') AND body IS NULL)"

  /// Returns the jobs that meet `condition`.
  func jobs(_ condition: String, _ arguments: StatementArguments = []) async throws(Failure) -> [Job] {
    try await look { db in try SQLiteStore.jobs(db, condition, arguments) }
  }

  static func jobs(
    _ db: Database, _ condition: String, _ arguments: StatementArguments = []
  ) throws -> [Job] {
    var reader = JobReader()
    // Compiling the statement takes longer than running it.
    let select = try db.cachedStatement(sql: "SELECT \(JobReader.columns) FROM jobs WHERE \(condition)")
    return try Row.fetchAll(select, arguments: arguments).map { try reader.job($0) }
  }
}

extension Set<JobState> {
  /// The states as SQL literals, so that partial indexes apply.
  var sql: String { map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ") }
}
