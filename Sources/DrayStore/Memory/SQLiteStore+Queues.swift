// Counts the active jobs of named queues.

internal import DrayCore
internal import SQLite

extension QueueGates {
  /// Returns the gates with the active jobs of all runners added. Jobs that are being published do not count.
  func withActive(_ db: Database) throws -> QueueGates {
    guard !limits.isEmpty else { return self }
    var all = self
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT queue, count(*) FROM jobs INDEXED BY jobs_runner
          WHERE runner IS NOT NULL AND queue IS NOT NULL AND publishing IS NULL GROUP BY queue
          """))
    while let row = try rows.next() { all.add(try row[1], to: try row[0]) }
    return all
  }
}
