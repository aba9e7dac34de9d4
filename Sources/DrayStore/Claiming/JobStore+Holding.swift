// What the holder of a job records while it transfers.

package import DrayCore
import SQLite

package import struct FoundationEssentials.UUID

/// What is done once after a digest mismatch. The numbers are the bits of the column `digest_retried`.
package enum DigestRetry: Int64, Sendable {
  /// The one clean fetch from zero.
  case whole = 1
  /// The pieces that do not have their hash.
  case pieces = 2
}

extension JobStore {
  /// Records the last answer, and the size where no checkpoint says otherwise. Lazy.
  /// - Returns: whether `runner` holds the job.
  package func recordResponse(
    _ id: JobID, runner: UUID, _ response: ResponseRecord, size: Int64?
  ) throws(Failure) -> Bool {
    // The size of a checkpoint belongs to its validators and bytes: that of another version must not mix in (P2).
    let isHeld = try update(.lazy, id, runner) {
      """
      response = \($0.bind(RecordText.of(response))), final_url = \($0.bind(response.finalURL.string)),
      size = iif(segments = '', \($0.bind(size)), size)
      """
    }
    if isHeld, response.head.status < 400 { try endHold(passedBy: id) }
    return isHeld
  }

  /// Records what is durably on disk of several jobs, in one durable transaction. The bytes must be synced before.
  /// - Parameter since: the marks of the checksums of which all that was known was recorded; of these jobs only those are
  ///   that came since.
  /// - Parameter expecting: bytes of the part file of the first job that were bad: what comes in their place must be the same.
  /// - Returns: the jobs that `runner` holds; of the others nothing was recorded.
  package func checkpoint(
    _ batch: [(id: JobID, checkpoint: Checkpoint)], since: [JobID: UInt32] = [:],
    expecting bad: [BlockSums.Extent] = [], runner: UUID
  ) throws(Failure) -> Set<JobID> {
    try write(.durable) { db in
      var held: Set<JobID> = []
      for (id, checkpoint) in batch where try JobStore.claim(db, checkpoint, of: id, runner) {
        try JobStore.record(db, checkpoint.sums, of: id, since: since[id])
        held.insert(id)
      }
      if let id = batch.first?.id, held.contains(id) { try JobStore.expect(db, bad, of: id) }
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
      provenance = \(row.bind(try checkpoint.provenance.jsonText()))
      """
    }
  }

  /// Forgets what is on disk, durably, before bytes of another version are written over it (P2). The note
  /// says why, for people.
  /// - Returns: whether `runner` holds the job.
  package func forgetCheckpoint(_ id: JobID, runner: UUID, note: String?) throws(Failure) -> Bool {
    try update(.durable, id, runner) { "\(JobStore.nothingKept), size = NULL, note = \($0.bind(note))" }
  }

  /// Records that what is done once after a digest mismatch is used up. Durable.
  /// - Returns: whether it was not used up before, and `runner` holds the job.
  package func recordDigestRetry(_ id: JobID, _ retry: DigestRetry = .whole, runner: UUID) throws(Failure) -> Bool {
    try write(.durable) { db in
      try db.execute(
        sql: """
          UPDATE jobs SET digest_retried = digest_retried | ?1 WHERE id = ?2 AND runner = ?3 AND digest_retried & ?1 = 0
          """,
        arguments: [retry.rawValue, id, runner.uuidString])
      return db.changesCount == 1
    }
  }

  /// Fixes the name of a job's target, once: a name that is fixed already stays (a resume never renames). Lazy.
  ///
  /// The policy says what to do if another unfinished job fetches to `name`; `rename` also keeps clear of what
  /// `exists` says is there on disk, and it alone asks.
  /// - Returns: the name that is fixed; `nil` if `runner` does not hold the job.
  /// - Throws: kind `file` for a target that another job fetches to; otherwise kind `store`.
  package func fixName(
    _ id: JobID, runner: UUID, directory: String, name: String, policy: ConflictPolicy,
    exists: (String) -> Bool
  ) throws(Failure) -> String? {
    try write(.lazy) { db in
      guard
        let row = try Row.fetchOne(
          db.cachedStatement(sql: "SELECT file_name FROM jobs WHERE id = ? AND runner = ?"),
          arguments: [id, runner.uuidString])
      else { return nil }
      if let fixed: String = try row[0] { return fixed }
      let free = try Targets.free(name, in: directory, policy: policy, besides: id, db: db, exists: exists)
      try db.cachedStatement(sql: "UPDATE jobs SET file_name = ?, directory = ? WHERE id = ?")
        .execute(arguments: [free, directory, id])
      return free
    }
  }

  /// What is wanted of the jobs that `runner` holds.
  package func commands(runner: UUID) throws(Failure) -> [(id: JobID, command: JobCommand)] {
    try access { db in
      try Row.fetchAll(
        db.cachedStatement(
          sql: "SELECT id, command FROM jobs WHERE runner = ? AND command IS NOT NULL ORDER BY id"),
        arguments: [runner.uuidString]
      ).compactMap { row in try JobCommand(rawValue: try row[1]).map { (try row[0], $0) } }
    }
  }

  /// Starts over a job whose holder was asked to with ``JobCommand/retry``. Durable.
  /// - Returns: whether `runner` held it, and that is what is wanted of it still.
  package func retryHeld(_ id: JobID, runner: UUID) throws(Failure) -> Bool {
    try update(.durable, id, runner, pending: .carryOut(.retry)) { _ in JobStore.queuedAgain }
  }

  /// Deletes a job after the command to remove it. Durable.
  /// - Parameter isMet: whether its file is there all the same: then the jobs that wait for it may start, else they fail.
  /// - Returns: whether `runner` held it.
  package func removeHeld(_ id: JobID, runner: UUID, isMet: Bool = false) throws(Failure) -> Bool {
    try write(.durable) { db in
      try db.execute(sql: "DELETE FROM jobs WHERE id = ? AND runner = ?", arguments: [id, runner.uuidString])
      guard db.changesCount == 1 else { return false }
      if isMet { try db.execute(sql: "DELETE FROM prerequisites WHERE prerequisite = ?", arguments: [id]) }
      try Prerequisites.failDependents(db, of: [id])
      return true
    }
  }
}
