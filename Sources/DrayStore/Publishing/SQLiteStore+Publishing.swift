// Publishes complete files in groups: permits before the renames, results after the renames.
//
// Ten thousand small files mean ten thousand permits. The text of the statement never changes, so that SQLite prepares
// it only once. For speed, values are bound by position, because comparing parameter names takes as long as running a
// step of the statement. JSON is encoded by hand. `CompletingRows` completes many jobs with one statement.

internal import DrayCore
internal import SQLite

internal import struct FoundationEssentials.UUID

extension SQLiteStore {
  func beginPublishing(
    _ batch: [PublishIntent], after finished: [Finished], runner: UUID, now: Double, isDurable: Bool
  ) async throws(Failure) -> PublishStart {
    try await write(isDurable ? .durable : .lazy) { db in
      let ended = try SQLiteStore.finish(db, finished, runner: runner, now: now)
      guard !batch.isEmpty else { return PublishStart(ended: ended) }
      let (holder, setFree) = (runner.text, try db.cachedStatement(sql: SQLiteStore.setFreeIntent))
      let permits = try batch.map { intent in
        let permit = try SQLiteStore.permit(db, intent, holder, setFree)
        if case .granted = permit, let sums = intent.sums { try db.all(Sums.statements(sums, of: intent.id)) }
        return permit
      }
      return PublishStart(permits: permits, ended: ended)
    }
  }

  func finish(_ batch: [Finished], runner: UUID, now: Double) async throws(Failure) -> Set<JobID> {
    try await write(.lazy) { db in try SQLiteStore.finish(db, batch, runner: runner, now: now) }
  }

  private static func finish(_ db: Database, _ batch: [Finished], runner: UUID, now: Double) throws -> Set<JobID> {
    let batch = try db.arranged(batch)
    guard !batch.isEmpty else { return [] }
    let holder = runner.text
    var held = try CompletingRows.complete(db, batch, holder: holder, now: now)
    if held.count < batch.count {
      let forget = try db.cachedStatement(sql: "DELETE FROM jobs WHERE id = ? AND runner = ? AND command = 'remove'")
      for job in batch where !held.contains(job.id) {
        try forget.execute(arguments: [job.id, holder])
        guard db.changesCount == 1 else { continue }
        // The file exists although its job was removed, so the jobs that depend on it may start.
        try db.execute(sql: "DELETE FROM prerequisites WHERE prerequisite = ?", arguments: [job.id])
        held.insert(job.id)
      }
    }
    return held
  }

  /// Permits one rename, and fixes the name of the target.
  private static func permit(
    _ db: Database, _ intent: PublishIntent, _ runner: String, _ setFree: Statement
  ) throws -> PublishPermit {
    guard let naming = intent.naming else { return try record(db, intent, as: intent.fileName, runner) }
    // Usually the name is free, and one statement suffices.
    if !naming.isAnother, naming.policy != .rename || !naming.taken.contains(intent.fileName) {
      try setFree.execute(arguments: arguments(intent, intent.fileName, runner))
      if db.changesCount == 1 { return .granted(intent.fileName) }
    }
    let select = try db.cachedStatement(sql: "SELECT file_name FROM jobs WHERE id = ? AND runner = ?")
    let fixed = try Row.fetchOne(select, arguments: [intent.id, runner])
    guard let fixed else { return .lost }
    do {
      let known: String? = naming.isAnother ? nil : try fixed[0]
      let name =
        try known
        ?? db.freeName(
          intent.fileName, in: naming.directory, policy: naming.policy, besides: intent.id,
          taken: naming.taken)
      return try record(db, intent, as: name, runner)
    } catch let failure as Failure {
      return .refused(failure)
    }
  }

  private static func record(
    _ db: Database, _ intent: PublishIntent, as name: String, _ runner: String
  ) throws -> PublishPermit {
    try db.cachedStatement(sql: setIntent).execute(arguments: arguments(intent, name, runner))
    return db.changesCount == 1 ? .granted(name) : .lost
  }

  /// A new answer replaces the recorded answer and its validators, because the new one covers the whole file.
  private static let setIntent = """
    UPDATE jobs SET publishing = ?1, file_name = ?2, digest = ifnull(?3, digest),
      digest_source = iif(?3 IS NULL, digest_source, ?4), response = ifnull(?5, response),
      final_url = ifnull(?6, final_url), etag = iif(?5 IS NULL, etag, ?7),
      last_modified = iif(?5 IS NULL, last_modified, ?8), date = iif(?5 IS NULL, date, ?9)
    WHERE id = ?10 AND runner = ?11
    """

  /// Takes effect only if the job has no name yet and no other unfinished job has this target.
  private static let setFreeIntent = """
    \(setIntent) AND file_name IS NULL AND NOT EXISTS (
      SELECT 1 FROM jobs AS other INDEXED BY jobs_target
      WHERE other.directory = jobs.directory AND other.file_name = ?2 AND other.id <> jobs.id
        AND other.state IN ('queued', 'active', 'interrupted', 'paused'))
    """

  private static func arguments(
    _ intent: PublishIntent, _ name: String, _ runner: String
  ) -> StatementArguments {
    let validators = intent.response?.head.validators
    let response: String? = intent.response.map { RecordText.of($0) }
    return StatementArguments(values: [
      .text(RecordText.of(intent.identity)), .text(name), (intent.digest?.digest.description).databaseValue,
      (intent.digest?.source.rawValue).databaseValue, response.databaseValue,
      (intent.response?.finalURL.string).databaseValue, (validators?.etag).databaseValue,
      (validators?.lastModified).databaseValue, (validators?.date).databaseValue, .integer(intent.id), .text(runner),
    ])
  }
}
