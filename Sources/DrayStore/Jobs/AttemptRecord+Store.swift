// The history of a job in the store.

import DrayCore
import SQLite

extension AttemptRecord {
  /// The number of attempts kept for each job: a server that fails for days must not fill the disk (P13).
  static let kept = 100

  /// - Parameter isLast: whether the job has ended. Then older attempts are not pruned.
  func insert(_ db: Database, job: JobID, isLast: Bool = false) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO attempts (job, started_at, ended_at, outcome, message, first_byte, last_byte)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [job, startedAt, endedAt, outcome, message, firstByte, lastByte])
    if isLast { return }
    try db.cachedStatement(
      sql: """
        DELETE FROM attempts WHERE job = :job AND id <=
          (SELECT id FROM attempts WHERE job = :job ORDER BY id DESC LIMIT 1 OFFSET \(AttemptRecord.kept))
        """
    ).execute(arguments: ["job": job])
  }
}
