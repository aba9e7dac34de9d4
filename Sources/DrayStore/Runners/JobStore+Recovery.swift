// What is left when a runner ended or died.

package import DrayCore
import SQLite

package import struct FoundationEssentials.UUID

extension JobStore {
  /// The runners that hold jobs, alive or dead.
  package func activeRunners() throws(Failure) -> Set<UUID> {
    try access { db in
      let texts = try String.fetchAll(
        db, sql: "SELECT DISTINCT runner FROM jobs INDEXED BY jobs_runner WHERE runner IS NOT NULL")
      return Set(texts.compactMap(UUID.init(uuidString:)))
    }
  }

  /// Sets free what a runner still holds when it ends: such jobs are interrupted. One with a pending command is left
  /// to recovery (``applyCommands(ofDeadRunners:removing:)``), so that the command is not lost.
  /// - Returns: how many there were.
  @discardableResult
  package func release(_ runner: UUID) throws(Failure) -> Int {
    try write(.durable) { db in
      let held = "runner = ? AND command IS NULL"
      try JobStore.recordUnanswered(db, held, [runner.uuidString])
      try db.execute(
        sql: "UPDATE jobs SET state = 'interrupted', runner = NULL WHERE \(held)", arguments: [runner.uuidString])
      return db.changesCount
    }
  }

  /// The jobs that dead runners had been asked to remove, and hold still.
  package func doomedJobs(ofDeadRunners runners: Set<UUID>) throws(Failure) -> [Job] {
    try access { db in
      try runners.flatMap { try JobStore.jobs(db, "runner = ? AND command = 'remove'", [$0.uuidString]) }
    }
  }

  /// Sets the jobs of runners that are dead free, with what had been asked of them done: they are `interrupted`, `paused`, begun
  /// again, or removed. One durable transaction, so that no command is lost between being read and being done.
  ///
  /// A job that was being published keeps ``DrayCore/Job/publishing``, so that recovery can finish it. Of the jobs that were to
  /// be removed only those in `removing` are, whose part files the caller has removed; another one stays as it is.
  /// - Returns: the jobs as they are now; removed ones as they were.
  package func applyCommands(
    ofDeadRunners runners: Set<UUID>, removing doomed: Set<JobID> = []
  ) throws(Failure) -> [RecoveredJob] {
    guard !runners.isEmpty else { return [] }
    return try write(.durable) { db in
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
          recovered += try JobStore.applyCommand(db, id, command, &reader)
        }
      }
      try Prerequisites.failDependents(db, of: recovered.filter { $0.command == .remove }.map(\.job.id))
      return recovered
    }
  }

  /// The same for one job of a runner that lives, and can do nothing more about it.
  /// - Returns: whether `runner` held it.
  package func applyCommand(_ id: JobID, runner: UUID) throws(Failure) -> Bool {
    try write(.durable) { db in
      let select = "SELECT command FROM jobs WHERE id = ? AND runner = ?"
      guard let row = try Row.fetchOne(db, sql: select, arguments: [id, runner.uuidString]) else { return false }
      let command = (try row[0] as String?).flatMap(JobCommand.init)
      var reader = JobReader()
      _ = try JobStore.applyCommand(db, id, command, &reader)
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

  /// What is done to a job whose holder died before it did this.
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

/// A job that was taken from a dead runner.
package struct RecoveredJob: Sendable, Equatable {
  /// The job as it is now.
  package var job: Job
  /// What its runner had been asked for and did not do.
  package var command: JobCommand?

  /// Makes the record.
  package init(job: Job, command: JobCommand?) { (self.job, self.command) = (job, command) }
}
