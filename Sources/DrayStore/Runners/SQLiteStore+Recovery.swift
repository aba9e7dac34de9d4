// Releases the jobs of runners that ended or died.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

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
      let held = "runner = ? AND command IS NULL"
      try SQLiteStore.recordUnanswered(db, held, [runner.uuidString])
      try db.execute(
        sql: """
          UPDATE jobs SET state = 'interrupted', runner = NULL,
            failure = iif(submitted_at IS NOT NULL AND publishing IS NULL, failure, NULL)
          WHERE \(held)
          """, arguments: [runner.uuidString])
      return db.changesCount
    }
  }

  func doomedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job] {
    try await access { db in
      try runners.flatMap { try SQLiteStore.jobs(db, "runner = ? AND command = 'remove'", [$0.uuidString]) }
    }
  }

  func applyCommands(
    ofDeadRunners runners: Set<UUID>, removing doomed: Set<JobID>
  ) async throws(Failure) -> [RecoveredJob] {
    guard !runners.isEmpty else { return [] }
    return try await write(.durable) { db in
      var recovered: [RecoveredJob] = []
      var reader = JobReader()
      for runner in runners {
        let wanted = try Row.fetchAll(
          db, sql: "SELECT id, command FROM jobs WHERE runner = ? ORDER BY id", arguments: [runner.uuidString]
        )
        for row in wanted {
          let id = try row[0] as JobID
          let command = (try row[1] as String?).flatMap(JobCommand.init)
          if command == .remove, !doomed.contains(id) { continue }
          recovered += try SQLiteStore.applyCommand(db, id, command, &reader)
        }
      }
      try Prerequisites.failDependents(db, of: recovered.filter { $0.command == .remove }.map(\.job.id))
      return recovered
    }
  }

  func applyCommand(_ id: JobID, runner: UUID) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      let select = "SELECT command FROM jobs WHERE id = ? AND runner = ?"
      guard let row = try Row.fetchOne(db, sql: select, arguments: [id, runner.uuidString]) else { return false }
      let command = (try row[0] as String?).flatMap(JobCommand.init)
      var reader = JobReader()
      _ = try SQLiteStore.applyCommand(db, id, command, &reader)
      if command == .remove { try Prerequisites.failDependents(db, of: [id]) }
      return true
    }
  }

  private static func applyCommand(
    _ db: Database, _ id: JobID, _ command: JobCommand?, _ reader: inout JobReader
  ) throws -> [RecoveredJob] {
    let rows = try Row.fetchAll(
      db, sql: "\(recovering(command)) WHERE id = ? RETURNING \(JobReader.columns)", arguments: [id])
    try recordUnanswered(db, "id = ?", [id])
    return try rows.map { RecoveredJob(job: try reader.job($0), command: command) }
  }

  /// Returns the statement for a job whose holder died with this pending command.
  private static func recovering(_ command: JobCommand?) -> String {
    switch command {
    case .remove?: "DELETE FROM jobs"
    case .retry?: "UPDATE jobs SET \(queuedAgain)"
    case .pause?, .restart?, nil:
      """
      UPDATE jobs SET state = iif(command IS 'pause' AND publishing IS NULL, 'paused', 'interrupted'),
        runner = NULL, command = NULL, failure = NULL
      """
    }
  }
}
