// Looking jobs up: whole ones by number, UUID or URL, and counts.

package import DrayCore
import SQLite

package import struct FoundationEssentials.UUID

extension JobStore {
  /// The job of this number.
  package func job(_ id: JobID) throws(Failure) -> Job? { try jobs(ids: CollectionOfOne(id)).first }

  /// The jobs of these numbers, in this order; numbers without a job are left out.
  package func jobs(ids: some Sequence<JobID>) throws(Failure) -> [Job] {
    try access { db in
      var reader = JobReader()
      let select = try db.cachedStatement(sql: "SELECT \(JobReader.columns) FROM jobs WHERE id = ?")
      return try ids.compactMap { id in
        try Row.fetchOne(select, arguments: [id]).map { try reader.job($0) }
      }
    }
  }

  /// The job whose files have this UUID.
  package func job(uuid: UUID) throws(Failure) -> Job? {
    try jobs("uuid = ?", [uuid.uuidString]).first
  }

  /// The newest job with a safe request for this URL, directory and output, whatever its state.
  package func find(url: RequestURL, directory: String, output: String?) throws(Failure) -> Job? {
    try jobs(
      "url = ? AND directory = ? AND output IS ? AND \(JobStore.isSafe) ORDER BY id DESC LIMIT 1",
      [url.string, directory, output]
    )
    .first
  }

  /// Which of these URLs any job has. To ask this of a long list costs far less than to search for each of them.
  package func known(_ urls: [RequestURL]) throws(Failure) -> Set<String> {
    try access { db in try JobStore.known(db, urls) }
  }

  /// The same within the caller's transaction.
  static func known(_ db: Database, _ urls: some Sequence<RequestURL>) throws -> Set<String> {
    Set(
      try String.fetchAll(
        db, sql: "SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM jobs WHERE url = value)",
        arguments: [RecordText.list(urls.map(\.string))]))
  }

  /// The newest complete job with this target.
  package func completeJob(named name: String, in directory: String) throws(Failure) -> Job? {
    try jobs(
      "directory = ? AND file_name = ? AND state = 'complete' ORDER BY finished_at DESC, id DESC LIMIT 1",
      [directory, name]
    ).first
  }

  /// Records the digest of a complete job's file. Durable.
  /// - Returns: whether there is such a job.
  @discardableResult
  package func record(_ digest: SourcedDigest, of id: JobID) throws(Failure) -> Bool {
    try write(.durable) { db in
      try db.execute(
        sql: "UPDATE jobs SET digest = ?, digest_source = ? WHERE id = ? AND state = 'complete'",
        arguments: [digest.digest.description, digest.source.rawValue, id])
      return db.changesCount == 1
    }
  }

  /// Those of `uuids` that are of jobs which may have a part file: which are not finished. Wherever their directory is said to be:
  /// one directory has many paths. Ask after the directory was read, or a job that was added meanwhile looks like none.
  package func unfinished(among uuids: Set<UUID>) throws(Failure) -> Set<UUID> {
    guard !uuids.isEmpty else { return [] }
    return try access { db in
      let select = try db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM jobs WHERE uuid = ? AND state NOT IN ('complete', 'failed'))")
      return try uuids.filter { try Bool.fetchOne(select, arguments: [$0.uuidString]) ?? false }
    }
  }

  /// The states of these jobs; those that are not there are left out.
  package func states(of ids: Set<JobID>) throws(Failure) -> [JobID: JobState] {
    try access { db in
      let select = try db.cachedStatement(sql: "SELECT state FROM jobs WHERE id = ?")
      return try ids.reduce(into: [:]) { states, id in
        states[id] = try String.fetchOne(select, arguments: [id]).flatMap(JobState.init)
      }
    }
  }

  /// The numbers of the jobs in these states, ascending.
  package func ids(states: Set<JobState>) throws(Failure) -> [JobID] {
    try access { db in
      try JobID.fetchAll(db, sql: "SELECT id FROM jobs WHERE state IN (\(states.sql)) ORDER BY id")
    }
  }

  /// How many jobs are neither complete nor failed.
  package func unfinishedCount() throws(Failure) -> Int {
    try counts().reduce(0) { $1.key.isFinished ? $0 : $0 + $1.value }
  }

  /// How many of the jobs `ids` (`nil` is all) are in which state; states without a job are left out.
  package func counts(ids: Set<JobID>? = nil) throws(Failure) -> [JobState: Int] {
    try access { db in
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

  /// Which of these states any job has.
  package func present(among states: Set<JobState>) throws(Failure) -> Set<JobState> {
    try access { db in try states.filter { state in try JobStore.isPresent(db, state) } }
  }

  /// Whether any job is in this state: one look into the index, however many there are.
  static func isPresent(_ db: Database, _ state: JobState) throws -> Bool {
    // The state is part of the text: as an argument it would decide which indexes can be used, and SQLite would compile the
    // statement again for each.
    let select = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM jobs WHERE state = \(Set([state]).sql))")
    return try Bool.fetchOne(select) ?? false
  }

  /// The attempts of a job that have ended, oldest first.
  package func attempts(of id: JobID) throws(Failure) -> [Attempt] {
    try access { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT started_at, ended_at, outcome, message, first_byte, last_byte
          FROM attempts WHERE job = ? ORDER BY id
          """, arguments: [id]
      ).map { row in
        Attempt(
          startedAt: try row[0], endedAt: try row[1], outcome: try row[2], message: try row[3], firstByte: try row[4],
          lastByte: try row[5])
      }
    }
  }

  /// A condition for a job whose request may be repeated by itself (``DrayCore/TransferRequest/isSafe``).
  static let isSafe = "(json_extract(request, '$.method') IN ('GET', 'HEAD') AND body IS NULL)"

  /// The jobs for which `condition` holds.
  func jobs(_ condition: String, _ arguments: StatementArguments = []) throws(Failure) -> [Job] {
    try access { db in try JobStore.jobs(db, condition, arguments) }
  }

  static func jobs(
    _ db: Database, _ condition: String, _ arguments: StatementArguments = []
  ) throws -> [Job] {
    var reader = JobReader()
    // To compile it takes longer than the look itself.
    let select = try db.cachedStatement(sql: "SELECT \(JobReader.columns) FROM jobs WHERE \(condition)")
    return try Row.fetchAll(select, arguments: arguments).map { try reader.job($0) }
  }
}

extension Set<JobState> {
  /// The states as SQL literals, so that partial indexes apply.
  var sql: String { map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ") }
}
