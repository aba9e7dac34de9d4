// Writes the history of attempts.

#if Postgres

internal import DrayCore
internal import Postgres

enum FleetAttempts {
  /// Inserts the last attempts of jobs with one statement. The oldest attempts were already removed when earlier ones
  /// were added.
  static func insert(_ attempts: [(job: JobID, record: AttemptRecord)], _ db: FleetSession) throws {
    guard !attempts.isEmpty else { return }
    let records = attempts.map(\.record)
    try db.run(
      """
      INSERT INTO attempts (job, started_at, ended_at, outcome, message, first_byte, last_byte, runner)
      SELECT * FROM unnest(\(attempts.map(\.job)), \(records.map(\.startedAt)), \(records.map(\.endedAt)),
        \(records.map(\.outcome)), \(records.map(\.message)), \(records.map(\.firstByte)),
        \(records.map(\.lastByte)), \(records.map(\.runner)))
      """)
  }
}

#endif
