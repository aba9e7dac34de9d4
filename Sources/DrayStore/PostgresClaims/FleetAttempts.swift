// Writes the history of jobs.

import DrayCore
import Postgres

enum FleetAttempts {
  /// Inserts attempts, all with one statement.
  /// - Parameter prunes: whether to remove the oldest attempts of a job that has too many. The last attempt of a job need
  ///   not: its earlier ones were pruned.
  static func insert(
    _ attempts: [(job: JobID, record: AttemptRecord)], prunes: Bool, _ db: FleetSession
  ) throws {
    guard !attempts.isEmpty else { return }
    let records = attempts.map(\.record)
    var statements: [SQL] = [
      """
      INSERT INTO attempts (job, started_at, ended_at, outcome, message, first_byte, last_byte, runner)
      SELECT * FROM unnest(\(attempts.map(\.job)), \(records.map(\.startedAt)), \(records.map(\.endedAt)),
        \(records.map(\.outcome)), \(records.map(\.message)), \(records.map(\.firstByte)),
        \(records.map(\.lastByte)), \(records.map(\.runner)))
      """
    ]
    if prunes {
      for (job, _) in attempts {
        statements.append(
          """
          DELETE FROM attempts WHERE job = \(job) AND id <=
            (SELECT id FROM attempts WHERE job = \(job) ORDER BY id DESC LIMIT 1 OFFSET \(AttemptRecord.kept))
          """)
      }
    }
    try db.all(statements)
  }
}
