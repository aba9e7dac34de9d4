// Counts the jobs of other runners at each origin, for the limit on jobs.

internal import DrayCore
internal import SQLite

internal import struct FoundationEssentials.UUID

extension JobsPerOrigin {
  /// Returns these counts plus the jobs that runners other than `runner` transfer. Jobs that are being published do not
  /// count.
  func withOthers(_ db: Database, runner: UUID) throws -> JobsPerOrigin {
    guard self != .unlimited else { return self }
    var all = self
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT origin, count(*) FROM jobs INDEXED BY jobs_runner
          WHERE runner IS NOT NULL AND runner <> ? AND publishing IS NULL GROUP BY origin
          """), arguments: [runner.uuidString])
    while let row = try rows.next() { all.add(try row[1], ofOthersAt: try row[0]) }
    return all
  }
}
