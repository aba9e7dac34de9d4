// The records that the holder of a job writes during the transfer.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func recordResponse(
    _ id: JobID, runner: UUID, _ response: ResponseRecord, size: Int64?
  ) async throws(Failure) -> Bool {
    // The size of a checkpoint belongs to its validators and bytes. The size of another version must not replace it
    // (P2).
    try await write(.lazy) { db in
      let isHeld = try SQLiteStore.update(db, id, runner, attempt: nil) {
        """
        response = \($0.bind(RecordText.of(response))), final_url = \($0.bind(response.finalURL.string)),
        size = iif(segments = '', \($0.bind(size)), size)
        """
      }
      if isHeld, response.head.status < 400 { try SQLiteStore.endHold(db, passedBy: id) }
      return isHeld
    }
  }

  func checkpoint(
    _ batch: [(id: JobID, checkpoint: Checkpoint)], since: [JobID: UInt32],
    expecting bad: [BlockSums.Extent], runner: UUID
  ) async throws(Failure) -> Set<JobID> {
    try await write(.durable) { db in
      var held: Set<JobID> = []
      for (id, checkpoint) in batch where try SQLiteStore.claim(db, checkpoint, of: id, runner) {
        try SQLiteStore.record(db, checkpoint.sums, of: id, since: since[id])
        held.insert(id)
      }
      if let id = batch.first?.id, held.contains(id) { try SQLiteStore.expect(db, bad, of: id) }
      return held
    }
  }

  static func claim(
    _ db: Database, _ checkpoint: Checkpoint, of id: JobID, _ runner: UUID
  ) throws -> Bool {
    try update(db, id, runner, attempt: nil) { row in
      """
      segments = \(row.bind(checkpoint.segments.description)), received = \(row.bind(checkpoint.segments.count)),
      size = \(row.bind(checkpoint.size)), etag = \(row.bind(checkpoint.validators.etag)),
      last_modified = \(row.bind(checkpoint.validators.lastModified)), date = \(row.bind(checkpoint.validators.date)),
      offered = \(row.bind(checkpoint.offered.isEmpty ? nil : try JSONColumn.text(checkpoint.offered))),
      provenance = \(row.bind(try checkpoint.provenance.jsonText())),
      upload = \(row.bind(try checkpoint.upload.jsonText()))
      """
    }
  }

  func forgetCheckpoint(_ id: JobID, runner: UUID, note: String?) async throws(Failure) -> Bool {
    try await update(.durable, id, runner) { "\(SQLiteStore.nothingKept), size = NULL, note = \($0.bind(note))" }
  }

  /// Changes nothing: part files of one machine have one generation.
  func recordPart(_ id: JobID, runner: UUID, _ part: PartGeneration) async throws(Failure) -> Bool {
    try await update(.durable, id, runner) { _ in "runner = runner" }
  }

  func recordDigestRetry(_ id: JobID, _ retry: DigestRetry, runner: UUID) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      try db.execute(
        sql: """
          UPDATE jobs SET digest_retried = digest_retried | ?1 WHERE id = ?2 AND runner = ?3 AND digest_retried & ?1 = 0
          """,
        arguments: [retry.rawValue, id, runner.uuidString])
      return db.changesCount == 1
    }
  }

  func fixName(
    _ id: JobID, runner: UUID, directory: String, name: String, policy: ConflictPolicy,
    taken: Set<String>
  ) async throws(Failure) -> String? {
    try await write(.lazy) { db in
      guard
        let row = try Row.fetchOne(
          db.cachedStatement(sql: "SELECT file_name FROM jobs WHERE id = ? AND runner = ?"),
          arguments: [id, runner.uuidString])
      else { return nil }
      if let fixed: String = try row[0] { return fixed }
      let free = try Targets.free(name, in: directory, policy: policy, besides: id, db: db, taken: taken)
      try db.cachedStatement(sql: "UPDATE jobs SET file_name = ?, directory = ? WHERE id = ?")
        .execute(arguments: [free, directory, id])
      return free
    }
  }

  func takeName(_ id: JobID, runner: UUID, name: String, taken: Set<String>) async throws(Failure) -> String? {
    try await write(.lazy) { db in
      let select = try db.cachedStatement(sql: "SELECT directory FROM jobs WHERE id = ? AND runner = ?")
      guard let directory = try String.fetchOne(select, arguments: [id, runner.uuidString]) else { return nil }
      let free = try Targets.free(name, in: directory, policy: .rename, besides: id, db: db, taken: taken)
      try db.cachedStatement(sql: "UPDATE jobs SET file_name = ? WHERE id = ?").execute(arguments: [free, id])
      return free
    }
  }

  func commands(runner: UUID) async throws(Failure) -> [(id: JobID, command: JobCommand)] {
    try await access { db in
      try Row.fetchAll(
        db.cachedStatement(
          sql: "SELECT id, command FROM jobs WHERE runner = ? AND command IS NOT NULL ORDER BY id"),
        arguments: [runner.uuidString]
      ).compactMap { row in try JobCommand(rawValue: try row[1]).map { (try row[0], $0) } }
    }
  }

  func retryOwned(_ id: JobID, runner: UUID) async throws(Failure) -> Bool {
    try await update(.durable, id, runner, pending: .carryOut(.retry)) { _ in SQLiteStore.queuedAgain }
  }

  func removeOwned(_ id: JobID, runner: UUID, isMet: Bool) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      try db.execute(sql: "DELETE FROM jobs WHERE id = ? AND runner = ?", arguments: [id, runner.uuidString])
      guard db.changesCount == 1 else { return false }
      if isMet { try db.execute(sql: "DELETE FROM prerequisites WHERE prerequisite = ?", arguments: [id]) }
      try Prerequisites.failDependents(db, of: [id])
      return true
    }
  }
}
