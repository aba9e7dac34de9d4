// Releases the jobs of runners that ended or died.

internal import DrayCore
internal import SQLite

internal import struct FoundationEssentials.UUID

extension SQLiteStore {
  func ownedJobCounts() async throws(Failure) -> [UUID: Int] {
    try await look { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT runner, count(*) FROM jobs INDEXED BY jobs_runner WHERE runner IS NOT NULL GROUP BY 1")
      return try rows.reduce(into: [:]) { counts, row in
        if let runner = UUID(uuidString: try row[0]) { counts[runner] = try row[1] }
      }
    }
  }

  func release(_ runner: UUID) async throws(Failure) -> Int {
    try await write(.durable) { db in
      let owned: SQL = "runner = \(runner) AND command IS NULL"
      try SQLiteStore.recordUnanswered(db, owned)
      return try db.run(
        """
        UPDATE jobs SET state = 'interrupted', runner = NULL,
          failure = iif(submitted_at IS NOT NULL AND publishing IS NULL, failure, NULL)
        WHERE \(owned)
        """)
    }
  }

  func applyCommands(
    ofDeadRunners runners: Set<UUID>, removing doomed: Set<JobID>
  ) async throws(Failure) -> [RecoveredJob] {
    guard !runners.isEmpty else { return [] }
    return try await write(.durable) { db in
      var recovered: [RecoveredJob] = []
      for row in try db.rows("SELECT id, command FROM jobs WHERE runner \(in: Array(runners)) ORDER BY id") {
        let id = try row[0] as JobID
        let command = (try row[1] as String?).flatMap(JobCommand.init)
        if command == .remove, !doomed.contains(id) { continue }
        recovered += try SQLiteStore.recover(db, id, command)
      }
      try Prerequisites.failDependents(db, of: recovered.filter { $0.command == .remove }.map(\.job.id))
      return recovered
    }
  }
}
