// Ends an attempt without a file, and carries out the commands that its holder received.

import DrayCore
import Postgres

import struct FoundationEssentials.UUID

extension PostgresStore {
  /// Runs `body` for a claim, and forgets the claim if it ends with it.
  private func end(
    _ id: JobID, _ runner: UUID, _ body: @escaping @Sendable (FleetSession, SQL) throws -> Bool
  ) async throws(Failure) -> Bool {
    let claim = held.condition(id, runner)
    let isDone = try await write(.durable, for: runner) { db in try body(db, claim) }
    if isDone { held.forget([id], runner: runner) }
    return isDone
  }

  private static func wait(_ until: Double?, _ now: Double) -> SQL {
    "not_before = \(until), waiting_since = \(until == nil ? nil : now)"
  }

  func requeue(
    _ id: JobID, runner: UUID, notBefore: Double?, now: Double, retry: RetryRecord, failure: Failure?,
    attempt: AttemptRecord?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool {
    try await end(id, runner) { db, claim in
      let set = Assignments(
        """
        state = 'queued', runner = NULL, command = NULL, publishing = NULL, \(PostgresStore.wait(notBefore, now)),
        retries_used = \(retry.used), furthest = \(retry.furthest), submitted_at = NULL
        """, jobs: "failure = \(try failure.jsonText())")
      return try PostgresStore.change(db, id, "\(claim)\(pending.fleetCondition)", set, attempt: attempt)
    }
  }

  func endAttempt(
    _ id: JobID, runner: UUID, _ stop: JobStop, now: Double, attempt: AttemptRecord?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool {
    let state = stop.state
    precondition(JobState.active.canMove(to: state) && state != .complete, "an attempt does not end as \(state)")
    return try await end(id, runner) { db, claim in
      let set = Assignments(
        """
        state = \(state.rawValue), runner = NULL, command = NULL, publishing = NULL,
        \(PostgresStore.wait(stop.notBefore, now)),
        retries_used = \(stop.retry.used), furthest = \(stop.retry.furthest),
        submitted_at = CASE WHEN \(stop.mayBeRepeated) THEN NULL ELSE submitted_at END,
        finished_at = \(state.isFinished ? now : nil)
        """, jobs: "failure = \(try stop.failure.jsonText())",
        checkpoint: state == .failed ? "\(raw: FleetCheckpoint.nothing)" : nil)
      let isDone = try PostgresStore.change(db, id, "\(claim)\(pending.fleetCondition)", set, attempt: attempt)
      guard isDone, state == .failed else { return isDone }
      let repairNote = stop.failure.map { "its repair failed: \($0)" }
      if try !FleetSums.takeBackRepair(db, id, note: repairNote, now: now) {
        try Prerequisites.failDependents(db, of: [id], now: now)
      }
      return true
    }
  }

  func finishWithoutFile(
    _ id: JobID, runner: UUID, response: ResponseRecord?, note: String, now: Double, attempt: AttemptRecord?
  ) async throws(Failure) -> Bool {
    try await end(id, runner) { db, claim in
      var facts: SQL = "published = NULL, failure = NULL, file_name = NULL, note = \(note)"
      if let response {
        facts = "\(facts), response = \(RecordText.of(response)), final_url = \(response.finalURL.string)"
      }
      let set = Assignments(
        "state = 'complete', runner = NULL, command = NULL, publishing = NULL, finished_at = \(now)", jobs: facts,
        checkpoint: "\(raw: FleetCheckpoint.nothing), size = NULL")
      return try PostgresStore.change(db, id, claim, set, attempt: attempt)
    }
  }

  func retryOwned(_ id: JobID, runner: UUID) async throws(Failure) -> Bool {
    try await end(id, runner) { db, claim in
      let rule = PendingCommandRule.carryOut(.retry).fleetCondition
      return try PostgresStore.change(db, id, "\(claim)\(rule)", PostgresStore.queuedAgain)
    }
  }

  func removeOwned(_ id: JobID, runner: UUID, isMet: Bool) async throws(Failure) -> Bool {
    try await end(id, runner) { db, claim in
      guard try db.run("SELECT 1 FROM hot WHERE \(claim) FOR UPDATE") == 1 else { return false }
      try db.run("DELETE FROM jobs WHERE id = \(id)")
      if isMet { try db.run("DELETE FROM prerequisites WHERE prerequisite = \(id)") }
      try Prerequisites.failDependents(db, of: [id])
      return true
    }
  }

  func applyCommand(_ id: JobID, runner: UUID) async throws(Failure) -> Bool {
    try await end(id, runner) { db, claim in
      guard let row = try db.first("SELECT command FROM hot WHERE \(claim) FOR UPDATE") else { return false }
      let command = (try row[0] as String?).flatMap(JobCommand.init(rawValue:))
      _ = try PostgresStore.recover(db, id, command)
      if command == .remove { try Prerequisites.failDependents(db, of: [id]) }
      return true
    }
  }

  func release(_ runner: UUID) async throws(Failure) -> Int {
    let (newest, batches) = (lazyEnds.newest, lazyEnds.batches(of: runner))
    let count = try await write(.durable) { db in
      try PostgresStore.finishAgain(db, batches)
      // Even if nothing is left to interrupt, the commit waits for the disk.
      try db.all([PostgresStore.logRecord])
      return try PostgresStore.interrupt(db, "runner = \(runner) AND command IS NULL", lost: true).count
    }
    lazyEnds.forget(upTo: newest, of: runner)
    held.forgetAll(of: runner)
    return count
  }

  /// Interrupts the held jobs that meet a condition, without the failures of earlier attempts.
  /// - Parameter lost: whether their attempts may still be inside a system call.
  private static func interrupt(_ db: FleetSession, _ condition: SQL, lost: Bool = false) throws -> [JobID] {
    try recordUnanswered(db, condition)
    let part: SQL = lost ? OwnedJobs.lostPart : "part"
    return try db.values(
      """
      WITH freed AS (
        UPDATE hot SET state = 'interrupted', runner = NULL, part = \(part) WHERE \(condition)
        RETURNING id, submitted_at IS NOT NULL AND publishing IS NULL AS is_unanswered),
      facts AS (
        UPDATE jobs SET failure = NULL FROM freed
        WHERE jobs.id = freed.id AND NOT is_unanswered AND failure IS NOT NULL)
      SELECT id FROM freed
      """)
  }

  var connections: Int { 1 + writer.reopenings }

  func undoneEnds(of runner: UUID) async throws(Failure) -> UndoneEnds {
    let (newest, batches) = (lazyEnds.newest, lazyEnds.batches(of: runner))
    let undone = try await write(.durable, for: runner, announces: !batches.isEmpty) { [held] db in
      try PostgresStore.finishAgain(db, batches)
      let rows = try db.all([
        PostgresStore.logRecord,
        "SELECT id, fence, command FROM \(db.fences.ownedJobs) WHERE runner = \(runner) ORDER BY id",
      ])[1]
      var undone = UndoneEnds()
      var free: [JobID] = []
      for row in rows {
        let (id, fence, command): (JobID, Int64, String?) = (try row[0], try row[1], try row[2])
        guard held.fence(of: id, runner: runner) != fence else { continue }
        if let command = command.flatMap(JobCommand.init(rawValue:)) {
          undone.commands.append((id, command))
        } else {
          free.append(id)
        }
      }
      guard !free.isEmpty else { return undone }
      undone.interrupted = try PostgresStore.interrupt(
        db, "id = ANY(\(free)) AND \(OwnedJobs.isOwner(runner)) AND command IS NULL")
      return undone
    }
    lazyEnds.forget(upTo: newest, of: runner)
    // Commands are carried out for any claim of the runner.
    held.forget(undone.interrupted + undone.commands.map(\.id), runner: runner)
    return undone
  }

  /// Records a failure in the jobs that meet a condition on `all_jobs` and were sent without an answer.
  static func recordUnanswered(_ db: FleetSession, _ condition: SQL) throws {
    let unanswered = try jobs(db, where: "\(condition) AND submitted_at IS NOT NULL AND publishing IS NULL")
    for job in unanswered {
      let request = job.specification.request
      let failure = SubmissionRule.unanswered(
        .network, request.method, subject: request.url.description, reason: "the process that sent it ended",
        job: job.id)
      try db.run("UPDATE jobs SET failure = \(try JSONColumn.text(failure)) WHERE id = \(job.id)")
    }
  }

  /// Carries out a pending command of a job whose holder has died or gives it up. The caller has locked the job.
  static func recover(_ db: FleetSession, _ id: JobID, _ command: JobCommand?) throws -> [RecoveredJob] {
    if command == .remove {
      guard let job = try jobs(db, ids: [id]).first else { return [] }
      try db.run("DELETE FROM jobs WHERE id = \(id)")
      return [RecoveredJob(job: job, command: command)]
    }
    let set =
      command == .retry
      ? queuedAgain
      : Assignments(
        """
        state = CASE WHEN command = 'pause' AND publishing IS NULL THEN 'paused' ELSE 'interrupted' END,
        runner = NULL, command = NULL
        """, jobs: "failure = NULL")
    try db.run(set.statement("", where: "hot.id = \(id)"))
    let job = try jobs(db, ids: [id]).first
    try recordUnanswered(db, "id = \(id)")
    return job.map { [RecoveredJob(job: $0, command: command)] } ?? []
  }
}
