// What is left when a runner died, and what is forgotten when nobody needs it any more.

public import DrayCore
import GRDB

public import struct Foundation.UUID

extension JobStore {
  /// The runners that hold jobs, alive or dead.
  public func activeRunners() throws(Failure) -> Set<UUID> {
    try access { db in
      let texts = try String.fetchAll(
        db, sql: "SELECT DISTINCT runner FROM jobs INDEXED BY jobs_runner WHERE runner IS NOT NULL")
      return Set(texts.compactMap(UUID.init(uuidString:)))
    }
  }

  /// The jobs that dead runners had been asked to remove, and hold still.
  public func doomedJobs(ofDeadRunners runners: Set<UUID>) throws(Failure) -> [Job] {
    try access { db in
      try runners.flatMap { try JobStore.jobs(db, "runner = ? AND command = 'remove'", [$0.uuidString]) }
    }
  }

  /// Sets the jobs of runners that are dead free, with what had been asked of them done: they are `interrupted`, `paused`, begun
  /// anew, or removed. One durable transaction, so that no wish is lost between being read and being done.
  ///
  /// A job that was being published keeps ``DrayCore/Job/publishing``, so that recovery can finish it. Of the jobs that were to
  /// be removed only those in `removing` are, whose part files the caller has removed; another one stays as it is.
  /// - Returns: the jobs as they are now; removed ones as they were.
  public func settleJobs(
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
          let id = row[0] as JobID
          let command = (row[1] as String?).flatMap(JobCommand.init)
          if command == .remove, !doomed.contains(id) { continue }
          recovered += try JobStore.settle(db, id, command, &reader)
        }
      }
      try Prerequisites.failDependents(db, of: recovered.filter { $0.command == .remove }.map(\.job.id))
      return recovered
    }
  }

  /// The same for one job of a runner that lives, and can do nothing more about it.
  /// - Returns: whether `runner` held it.
  public func settle(_ id: JobID, runner: UUID) throws(Failure) -> Bool {
    try write(.durable) { db in
      let select = "SELECT command FROM jobs WHERE id = ? AND runner = ?"
      guard let row = try Row.fetchOne(db, sql: select, arguments: [id, runner.uuidString]) else { return false }
      let command = (row[0] as String?).flatMap(JobCommand.init)
      var reader = JobReader()
      _ = try JobStore.settle(db, id, command, &reader)
      if command == .remove { try Prerequisites.failDependents(db, of: [id]) }
      return true
    }
  }

  private static func settle(
    _ db: Database, _ id: JobID, _ command: JobCommand?, _ reader: inout JobReader
  ) throws -> [RecoveredJob] {
    let rows = try Row.fetchAll(
      db, sql: "\(recovering(command)) WHERE id = ? RETURNING \(JobReader.columns)", arguments: [id])
    try tellOfUnanswered(db, "id = ?", [id])
    return try rows.map { RecoveredJob(job: try reader.job($0), command: command) }
  }

  /// What is done to a job whose holder died before it did this.
  private static func recovering(_ command: JobCommand?) -> String {
    switch command {
    case .remove?: "DELETE FROM jobs"
    case .retry?: "UPDATE jobs SET \(queuedAnew)"
    case .pause?, .restart?, nil:
      """
      UPDATE jobs SET state = iif(command IS 'pause' AND publishing IS NULL, 'paused', 'interrupted'),
        runner = NULL, command = NULL, failure = NULL
      """
    }
  }

  /// Queues those interrupted jobs of `scope` again that no failure of their own stopped: their runner ended or died. Lazy.
  /// - Returns: the numbers of the jobs that are queued now.
  @discardableResult
  public func requeueAbandoned(scope: ClaimScope) throws(Failure) -> [JobID] {
    let abandoned = "state = 'interrupted' AND failure IS NULL AND submitted_at IS NULL AND \(scope.condition)"
    // Asked again and again while a run lasts: the write lock is taken only when there is something to do.
    guard
      try access({ db in try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM jobs WHERE \(abandoned))") })
        ?? false
    else { return [] }
    return try write(.lazy) { db in
      try JobID.fetchAll(
        db, sql: "UPDATE jobs SET state = 'queued', retries_used = 0 WHERE \(abandoned) RETURNING id")
    }
  }

  /// The jobs of `scope` that nobody holds and whose publish has begun: the target may be there already.
  public func publishingJobs(scope: ClaimScope) throws(Failure) -> [Job] {
    try jobs("\(JobStore.isHalfPublished) AND \(scope.condition) ORDER BY id")
  }

  /// The same, but makes them the runner's own, so that no two finish one. Lazy.
  public func claimPublishing(runner: UUID, scope: ClaimScope) throws(Failure) -> [Job] {
    try write(.lazy) { db in
      let ids = try JobID.fetchAll(
        db, sql: "SELECT id FROM jobs WHERE \(JobStore.isHalfPublished) AND \(scope.condition) ORDER BY id")
      return try JobStore.take(db, ids, runner: runner)
    }
  }

  private static let isHalfPublished = "state IN ('queued', 'interrupted') AND publishing IS NOT NULL"

  /// Forgets the jobs that are complete or failed. Durable.
  /// - Parameter before: forgets those only that ended before this time, in seconds since 1970.
  /// - Returns: how many there were.
  public func forgetFinished(before: Double? = nil) throws(Failure) -> Int {
    try write(.durable) { db in
      try db.execute(
        sql: "DELETE FROM jobs WHERE state IN ('complete', 'failed') AND (:before IS NULL OR finished_at < :before)",
        arguments: ["before": before])
      return db.changesCount
    }
  }
}

/// A job that was taken from a dead runner.
public struct RecoveredJob: Sendable, Equatable {
  /// The job as it is now.
  public var job: Job
  /// What its runner had been asked for and did not do.
  public var command: JobCommand?
}
