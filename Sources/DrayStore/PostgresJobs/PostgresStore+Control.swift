// Pausing, resuming, retrying and removing jobs from any process of the fleet.

import DrayCore
import Postgres

extension PostgresStore {
  /// The assignments that a command makes with the new state: in `hot`, in `jobs`, and in `checkpoints`.
  struct Assignments: Sendable {
    var hot: SQL
    var jobs: SQL?
    var checkpoint: SQL?

    init(_ hot: SQL, jobs: SQL? = nil, checkpoint: SQL? = nil) {
      (self.hot, self.jobs, self.checkpoint) = (hot, jobs, checkpoint)
    }

    /// The statement that changes the rows of `hot` that meet `condition`, and their rows in other tables. It returns
    /// the number of each.
    func statement(_ set: SQL, where condition: SQL) -> SQL {
      var sql: SQL = "WITH changed AS (UPDATE hot SET \(set)\(hot) WHERE \(condition) RETURNING hot.id)"
      if let jobs { sql = "\(sql), facts AS (UPDATE jobs SET \(jobs) FROM changed WHERE jobs.id = changed.id)" }
      if let checkpoint {
        sql = "\(sql), bytes AS (UPDATE checkpoints SET \(checkpoint) FROM changed WHERE job = changed.id)"
      }
      return "\(sql) SELECT id FROM changed"
    }
  }

  func pause(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await control(.pause, ids) { _, _ in PostgresStore.paused }
  }

  func resume(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await control(.resume, ids) { db, job in
      try PostgresStore.givePass(db, where: "hot.id = \(job.id)")
      return PostgresStore.resumed
    }
  }

  func retry(
    _ ids: [JobID], with specifications: [JobID: JobSpecification]
  ) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await control(.retry, ids) { db, job in
      try PostgresStore.nameAgain(db, job)
      if let specification = specifications[job.id] {
        _ = try PostgresStore.renew(db, job.id, specification, where: "state <> 'active'")
      }
      return PostgresStore.startedOver
    }
  }

  func remove(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await control(.remove, ids) { _, _ in Assignments("") }
  }

  func setURL(
    _ id: JobID, _ url: RequestURL, keepingCredentials: Bool,
    completing: @escaping @Sendable (TransferRequest) throws(Failure) -> TransferRequest
  ) async throws(Failure) -> ControlResult {
    let results = try await control(.setURL, [id]) { db, job in
      if job.state == .failed { try PostgresStore.nameAgain(db, job) }
      var moved = job.specification.request.moved(to: url, keepingCredentials: keepingCredentials)
      // The user named this URL.
      moved.netrcSkipsDefault = nil
      let request = try completing(moved)
      var column = RequestColumn()
      try db.all([
        """
        UPDATE jobs SET url = \(url.string), request = \(try column.encode(request)), is_safe = \(request.isSafe)
        WHERE id = \(id)
        """,
        "UPDATE hot SET origin = \(url.origin.description) WHERE id = \(id)",
      ])
      return Assignments(
        """
        , not_before = NULL, waiting_since = CASE WHEN start_at IS NULL THEN NULL ELSE waiting_since END,
        retries_used = 0, submitted_at = NULL, finished_at = NULL
        """, jobs: "failure = NULL")
    }
    return results.first?.result ?? .unknown
  }

  func forgetFinished(before: Double?, limit: Int) async throws(Failure) -> Int {
    let finished = PostgresStore.page(
      of: [.complete, .failed], where: before.map { "finished_at < \($0)" } ?? "true", limit: limit)
    return try await write(.durable) { db in
      try db.run(
        """
        WITH finished AS (\(finished)),
        locked AS (
          SELECT hot.id FROM hot JOIN finished ON finished.id = hot.id WHERE state IN ('complete', 'failed')
          ORDER BY hot.id FOR UPDATE OF hot)
        DELETE FROM jobs USING locked WHERE jobs.id = locked.id
        """)
    }
  }

  func setRateLimit(_ rate: Int64?, of id: JobID) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      try db.run(
        """
        UPDATE jobs SET options = CASE WHEN \(rate) IS NULL THEN options - 'rateLimit'
          ELSE jsonb_set(options, '{rateLimit}', to_jsonb(\(rate))) END
        WHERE id = \(id)
        """) == 1
    }
  }

  private static let paused = Assignments(", not_before = NULL, waiting_since = NULL")
  private static let resumed = Assignments(
    ", not_before = NULL, waiting_since = NULL, start_at = NULL, retries_used = 0, submitted_at = NULL")

  func control(
    _ action: ControlAction, allIn states: Set<JobState>, after id: JobID, limit: Int
  ) async throws(Failure) -> ControlPage {
    try await write(.durable) { db in
      var (page, plan) = (ControlPage(), ControlPlan())
      // Along the numbers: the index of a state would pass the entries of all jobs that were in it before.
      let rows = try db.rows(
        """
        SELECT id, state FROM hot WHERE id > \(id) AND coalesce(state, '') = ANY(\(states.texts))
        ORDER BY id LIMIT \(limit) FOR UPDATE
        """)
      for row in rows { plan.add(try row[0], JobState(rawValue: try row[1]), action) }
      page.last = plan.last
      if !plan.gone.isEmpty {
        let gone = try db.values(
          """
          DELETE FROM jobs USING hot WHERE jobs.id = ANY(\(plan.gone)) AND hot.id = jobs.id AND body IS NULL
            AND CASE WHEN state = 'complete' THEN NOT options ? 'repairs'
              ELSE attempts = 0 AND NOT EXISTS (SELECT 1 FROM checkpoints WHERE job = hot.id) END
          RETURNING jobs.id
          """, as: JobID.self)
        try Prerequisites.failDependents(db, of: gone)
        page.done += gone.count
        plan.rest += Set(plan.gone).subtracting(gone)
      }
      for (state, ids) in plan.moved {
        if action == .resume { try PostgresStore.givePass(db, where: "hot.id = ANY(\(ids))") }
        let set = action == .resume ? PostgresStore.resumed : PostgresStore.paused
        page.done += try db.run("UPDATE hot SET state = \(state.rawValue)\(set.hot) WHERE id = ANY(\(ids))")
      }
      page.rest = plan.rest.sorted()
      return page
    }
  }

  /// The assignments of a job that its holder, or recovery after the holder's death, starts over.
  static let queuedAgain = Assignments(
    "state = 'queued', runner = NULL, command = NULL\(startedOver.hot)",
    jobs: """
      file_name = CASE WHEN output IS NULL AND NOT \(raw: FleetSums.isRepair("jobs")) THEN NULL ELSE file_name END,
      \(startedOver.jobs ?? "")
      """, checkpoint: startedOver.checkpoint)

  /// The assignments of a job that starts from zero, except its state and name. A repair keeps the permission to replace
  /// the target together with its proof, or gives up both (P2).
  private static let startedOver = Assignments(
    """
    , publishing = NULL, digest_retried = 0, retries_used = 0, furthest = 0, not_before = NULL, waiting_since = NULL,
    start_at = NULL, finished_at = NULL, submitted_at = NULL
    """,
    jobs: """
      \(["published", "digest", "digest_source", "final_url", "response"].map { column in
        SQL(raw: "\(column) = CASE WHEN \(FleetSums.isRepair("jobs")) THEN \(column) END")
      }.joined(by: ", ")), failure = NULL, note = NULL
      """, checkpoint: "\(raw: FleetCheckpoint.nothing), size = NULL")

  /// Chooses the name for a job without bytes again: another job may have taken its old name.
  private static func nameAgain(_ db: FleetSession, _ job: Job) throws {
    let specification = job.specification
    // A repair keeps the name of its file.
    guard specification.options.repairs == nil || job.fileName == nil else { return }
    let name = try specification.output.map {
      try Targets.free(
        job.fileName ?? $0, in: specification.directory, policy: specification.options.onConflict, besides: job.id,
        db: db)
    }
    guard name != job.fileName else { return }
    try db.run("UPDATE jobs SET file_name = \(name) WHERE id = \(job.id)")
  }

  /// Applies `action` to each job in one durable transaction. `columns` is called for a job that changes its state, and
  /// may write to the database; it returns the assignments to make with the state.
  private func control(
    _ action: ControlAction, _ ids: [JobID],
    columns: @escaping @Sendable (FleetSession, Job) throws -> Assignments
  ) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await write(.durable) { db in
      // All commands lock the jobs in one order.
      try db.run("SELECT 1 FROM hot WHERE id = ANY(\(ids)) ORDER BY id FOR UPDATE")
      var known: [JobID: Job] = [:]
      for job in try PostgresStore.jobs(db, where: "id = ANY(\(ids))") { known[job.id] = job }
      var (gone, again, changed): ([JobID], [JobID], [JobID]) = ([], [], [])
      var results: [(id: JobID, result: ControlResult)] = []
      for id in ids {
        // A job that is named twice is found as the first time left it.
        if changed.contains(id) { known[id] = try PostgresStore.jobs(db, ids: [id]).first }
        guard let before = known[id] else {
          results.append((id, .unknown))
          continue
        }
        let result = try PostgresStore.apply(action, to: before, db, columns)
        results.append((id, result))
        changed.append(id)
        guard case .done = result else { continue }
        switch ControlMove.decide(action, in: before.state) {
        case .delete:
          gone.append(id)
          known[id] = nil
          changed.removeLast()
        case .to: if before.state == .failed { again.append(id) }
        default: break
        }
      }
      try Prerequisites.failDependents(db, of: gone)
      if !again.isEmpty { try PostgresStore.queueDependents(db, of: again) }
      return try PostgresStore.withPresent(results, removed: Set(gone), again: !again.isEmpty, db)
    }
  }

  /// Returns the results with the jobs as they are now.
  private static func withPresent(
    _ results: [(id: JobID, result: ControlResult)], removed: Set<JobID>, again: Bool, _ db: FleetSession
  ) throws -> [(id: JobID, result: ControlResult)] {
    let present = Dictionary(try jobs(db, ids: Array(Set(results.map(\.id)))).map { ($0.id, $0) }) { first, _ in first }
    return results.map { id, result in
      switch result {
      case .done(let before):
        guard !removed.contains(id), let now = present[id] else { return (id, .done(before)) }
        // A prerequisite is still failed, so the job failed again at once.
        if again, now.state == .failed, let failure = now.failure {
          return (id, .refused(failure.reason, advice: failure.advice))
        }
        return (id, .done(now))
      case .asked(let before): return (id, .asked(present[id] ?? before))
      case .refused, .unknown: return (id, result)
      }
    }
  }

  private static func apply(
    _ action: ControlAction, to job: Job, _ db: FleetSession,
    _ columns: (FleetSession, Job) throws -> Assignments
  ) throws -> ControlResult {
    let id = job.id
    switch ControlMove.decide(action, in: job.state) {
    case .refuse(let reason, let advice): return .refused(reason, advice: advice?.naming(id))
    case .delete:
      try db.run("DELETE FROM jobs WHERE id = \(id)")
      return .done(job)
    case .withdraw:
      try db.run("UPDATE hot SET command = NULL WHERE id = \(id) AND command = 'pause'")
      return .done(job)
    case .ask(let command):
      if action == .setURL { _ = try columns(db, job) }
      try db.run("UPDATE hot SET command = \(command.rawValue) WHERE id = \(id)")
      return .asked(job)
    case .to(let state):
      do {
        let set = try columns(db, job)
        try db.run(set.statement("state = \(state.rawValue)", where: "hot.id = \(id)"))
        return .done(job)
      } catch let failure as Failure {
        // Another job has its target. Nothing was changed.
        return .refused(failure.description, advice: failure.advice)
      }
    }
  }

  /// Queues jobs that failed because of the retried jobs. Fails those with another failed prerequisite.
  private static func queueDependents(_ db: FleetSession, of again: [JobID]) throws {
    var queued = again
    for id in again {
      try Prerequisites.dropMissing(db, of: id)
      for dependent in try Prerequisites.failedDependents(db, of: id) {
        guard let job = try lockedJob(db, dependent) else { continue }
        do {
          try nameAgain(db, job)
        } catch is Failure {
          // Another job has its target by now: retrying this job reports it.
          continue
        }
        try db.run(startedOver.statement("state = 'queued'", where: "hot.id = \(dependent)"))
        queued.append(dependent)
      }
    }
    try Prerequisites.failDependents(db, of: Set(try queued.flatMap { try Prerequisites.failed(db, of: $0) }))
  }
}
