// Ends attempts that produced no file, and carries out commands that were given to the owner of a job.

internal import DrayCore

internal import struct FoundationEssentials.UUID

extension PendingCommandRule {
  /// The condition that this rule adds to that of the change.
  var condition: SQL {
    switch self {
    case .drop: ""
    case .yield: " AND command IS NULL"
    case .carryOut(let command): " AND command = \(command.rawValue)"
    }
  }
}

extension SQLStore {
  /// Runs `body` for a claim, and forgets the claim if `body` ends it.
  private func end(
    _ id: JobID, _ runner: UUID, _ durability: Durability = .durable,
    _ body: @escaping @Sendable (Session, SQL) throws -> Bool
  ) async throws(Failure) -> Bool {
    let claim = claim(of: id, by: runner)
    let isDone = try await transaction(durability, for: runner) { db in try body(db, claim) }
    if isDone { disown([id], runner) }
    return isDone
  }

  /// Ends an attempt of a job that a claim owns.
  /// - Returns: Whether the claim owned the job.
  private static func end(
    _ db: Session, _ id: JobID, _ claim: SQL, _ set: Assignments, _ attempt: AttemptRecord? = nil
  ) throws -> Bool {
    guard try db.change(set, where: claim) == 1 else { return false }
    if let attempt { try attempt.add(db, to: id) }
    return true
  }

  private static func wait(_ until: Double?, _ now: Double) -> SQL {
    "not_before = \(until), waiting_since = \(until == nil ? nil : now)"
  }

  func requeue(
    _ id: JobID, runner: UUID, _ requeue: JobRequeue, now: Double, attempt: AttemptRecord?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool {
    try await end(id, runner, .server) { db, claim in
      let set = Assignments(
        """
        state = 'queued', runner = NULL, command = NULL, publishing = NULL, \(Self.wait(requeue.notBefore, now)),
        retries_used = \(requeue.retry.used), furthest = \(requeue.retry.furthest), submitted_at = NULL
        """, jobs: "failure = \(try requeue.failure.jsonText())")
      return try Self.end(db, id, "\(claim)\(pending.condition)", set, attempt)
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
        state = \(state.rawValue), runner = NULL, command = NULL, publishing = NULL, \(Self.wait(stop.notBefore, now)),
        retries_used = \(stop.retry.used), furthest = \(stop.retry.furthest),
        submitted_at = CASE WHEN \(stop.mayBeRepeated) THEN NULL ELSE submitted_at END,
        finished_at = \(state.isFinished ? now : nil)
        """, jobs: "failure = \(try stop.failure.jsonText())", checkpoint: state == .failed ? Checkpoints.nothing : nil)
      let isDone = try Self.end(db, id, "\(claim)\(pending.condition)", set, attempt)
      guard isDone, state == .failed else { return isDone }
      let repairNote = stop.failure.map { "its repair failed: \($0)" }
      if try !Self.takeBackRepair(db, id, note: repairNote, now: now) {
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
        checkpoint: "\(Checkpoints.nothing), size = NULL")
      return try Self.end(db, id, claim, set, attempt)
    }
  }

  func interruptPublishing(
    _ id: JobID, runner: UUID, failure: Failure?, attempt: AttemptRecord
  ) async throws(Failure) -> Bool {
    try await end(id, runner) { db, claim in
      let set = Assignments("state = 'interrupted', runner = NULL", jobs: "failure = \(try failure.jsonText())")
      return try Self.end(db, id, "\(claim)\(PendingCommandRule.yield.condition)", set, attempt)
    }
  }

  func retryOwned(_ id: JobID, runner: UUID) async throws(Failure) -> Bool {
    try await end(id, runner) { db, claim in
      try Self.end(db, id, "\(claim)\(PendingCommandRule.carryOut(.retry).condition)", Self.queuedAgain)
    }
  }

  func removeOwned(_ id: JobID, runner: UUID, isMet: Bool) async throws(Failure) -> Bool {
    try await end(id, runner) { db, claim in
      guard try db.first("SELECT 1 FROM \(.hot) WHERE \(claim)\(.forUpdate)") != nil else { return false }
      try db.run("DELETE FROM jobs WHERE id = \(id)")
      if isMet { try db.run("DELETE FROM prerequisites WHERE prerequisite = \(id)") }
      try Prerequisites.failDependents(db, of: [id])
      return true
    }
  }

  func applyCommand(_ id: JobID, runner: UUID) async throws(Failure) -> Bool {
    try await end(id, runner) { db, claim in
      guard let row = try db.first("SELECT command FROM \(.hot) WHERE \(claim)\(.forUpdate)") else { return false }
      let command = (try row[0] as String?).flatMap(JobCommand.init(rawValue:))
      _ = try Self.recover(db, id, command)
      if command == .remove { try Prerequisites.failDependents(db, of: [id]) }
      return true
    }
  }

  func doomedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job] {
    try await use { db in
      try Self.jobs(db, where: "runner \(in: Array(runners)) AND command = 'remove' ORDER BY id")
    }
  }

  /// Records a failure in the jobs that meet a condition and whose request was sent but not answered.
  static func recordUnanswered(_ db: Session, _ condition: SQL) throws {
    for job in try jobs(db, where: "\(condition) AND submitted_at IS NOT NULL AND publishing IS NULL") {
      let request = job.specification.request
      let failure = SubmissionRule.unanswered(
        .network, request.method, subject: request.url.description, reason: "the process that sent it ended",
        job: job.id)
      try db.run("UPDATE jobs SET failure = \(try JSONColumn.text(failure)) WHERE id = \(job.id)")
    }
  }

  /// Carries out a pending command of a job after its owner died or gave up the job. The caller has locked the job.
  static func recover(_ db: Session, _ id: JobID, _ command: JobCommand?) throws -> [RecoveredJob] {
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
    try db.change(set, where: "hot.id = \(id)")
    let job = try jobs(db, ids: [id]).first
    try recordUnanswered(db, "id = \(id)")
    return job.map { [RecoveredJob(job: $0, command: command)] } ?? []
  }
}

extension AttemptRecord {
  /// The number of attempts to keep for each job, so that a server that fails for days cannot fill the disk (P13).
  static let kept = 100

  /// Adds an attempt to the history of a job that has not ended, and removes the oldest attempt if there are too many.
  fileprivate func add(_ db: some StoreSession, to job: JobID) throws {
    try db.all([
      """
      INSERT INTO attempts (job, started_at, ended_at, outcome, message, first_byte, last_byte\(postgres: ", runner"))
      VALUES (\(job), \(startedAt), \(endedAt), \(outcome), \(message), \(firstByte), \(lastByte)\(postgres:
        ", \(runner)"))
      """,
      """
      DELETE FROM attempts WHERE job = \(job) AND id <=
        (SELECT id FROM attempts WHERE job = \(job) ORDER BY id DESC LIMIT 1 OFFSET \(AttemptRecord.kept))
      """,
    ])
  }
}
