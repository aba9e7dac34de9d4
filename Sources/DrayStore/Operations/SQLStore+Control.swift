// Pauses, resumes, retries and removes jobs from any process.

internal import DrayCore

extension SQLStore {
  func pause(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await control(.pause, ids) { _, _ in Assignments(Self.pausing) }
  }

  func resume(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await control(.resume, ids) { db, job in
      try Self.givePass(db, where: "hot.id = \(job.id)")
      return Assignments(Self.resuming)
    }
  }

  func retry(
    _ ids: [JobID], with specifications: [JobID: JobSpecification]
  ) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await control(.retry, ids) { db, job in
      try Self.nameAgain(db, job)
      if let specification = specifications[job.id] { _ = try Self.renew(db, job, specification) }
      return Self.startedOver
    }
  }

  func remove(
    _ ids: [JobID], with removed: ArrangementRule.Removed?
  ) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await control(.remove, ids, with: removed) { _, _ in Assignments() }
  }

  func setURL(
    _ id: JobID, _ url: RequestURL, keepingCredentials: Bool,
    completing: @escaping @Sendable (TransferRequest) throws(Failure) -> TransferRequest
  ) async throws(Failure) -> ControlResult {
    let results = try await control(.setURL, [id]) { db, job in
      if job.state == .failed { try Self.nameAgain(db, job) }
      var moved = job.specification.request.moved(to: url, keepingCredentials: keepingCredentials)
      // The user named this URL, so the default entry of .netrc applies to it.
      moved.netrcSkipsDefault = nil
      var column = RequestColumn()
      let request = try SQL.assigning(completing(moved), &column)
      let set = Assignments("origin = \(url.origin.description)", jobs: "url = \(url.string), \(request)")
      try db.change(set, where: "hot.id = \(id)")
      return Assignments(
        """
        not_before = NULL, waiting_since = CASE WHEN start_at IS NULL THEN NULL ELSE waiting_since END,
        retries_used = 0, submitted_at = NULL, finished_at = NULL
        """, jobs: "failure = NULL")
    }
    return results.first?.result ?? .unknown
  }

  func forgetFinished(before: Double?, limit: Int) async throws(Failure) -> Int {
    let finished = Self.page(
      of: [.complete, .failed], where: before.map { "finished_at < \($0)" } ?? "true", limit: limit)
    let locked: SQL = """
      WITH finished AS (\(finished)),
      locked AS (
        SELECT hot.id FROM hot JOIN finished ON finished.id = hot.id WHERE state IN ('complete', 'failed')
        ORDER BY hot.id FOR UPDATE OF hot)
      DELETE FROM jobs USING locked WHERE jobs.id = locked.id
      """
    return try await transaction(.durable) { db in
      try db.run("\(sqlite: "DELETE FROM jobs WHERE id IN (\(finished))", postgres: locked)")
    }
  }

  func setRateLimit(_ rate: Int64?, of id: JobID) async throws(Failure) -> Bool {
    let options: SQL =
      if let rate {
        """
        \(sqlite: "json_set(options, '$.rateLimit', \(rate))",
          postgres: "jsonb_set(options, '{rateLimit}', to_jsonb(\(rate)))")
        """
      } else {
        "\(sqlite: "json_remove(options, '$.rateLimit')", postgres: "options - 'rateLimit'")"
      }
    return try await transaction(.durable) { db in
      try db.run("UPDATE jobs SET options = \(options) WHERE id = \(id)") == 1
    }
  }

  private static var pausing: SQL { "not_before = NULL, waiting_since = NULL" }
  private static var resuming: SQL {
    "not_before = NULL, waiting_since = NULL, start_at = NULL, retries_used = 0, submitted_at = NULL"
  }

  func control(
    _ action: ControlAction, allIn states: Set<JobState>, after id: JobID, limit: Int
  ) async throws(Failure) -> ControlPage {
    try await transaction(.durable) { db in
      var (page, plan) = (ControlPage(), ControlPlan())
      // Walk along the job numbers: the index of states still has dead entries of jobs that have left these states.
      let rows = try db.rows(
        """
        SELECT id, state FROM \(.hot)
        WHERE id > \(id) AND \(sqlite: "+state", postgres: "coalesce(state, '')") \(in: states)
        ORDER BY id LIMIT \(limit)\(.forUpdate)
        """)
      for row in rows { plan.add(try row[0], JobState(rawValue: try row[1]), action) }
      page.last = plan.last
      if !plan.gone.isEmpty {
        let gone = try db.values(
          """
          DELETE FROM jobs \(postgres: "USING hot") WHERE jobs.id \(in: plan.gone) \(postgres: "AND hot.id = jobs.id")
            AND body IS NULL AND CASE WHEN state = 'complete' THEN \(.option("repairs")) IS NULL ELSE attempts = 0
              AND \(sqlite: "segments = '' AND size IS NULL AND upload IS NULL",
                postgres: "NOT EXISTS (SELECT 1 FROM checkpoints WHERE job = hot.id)") END
          RETURNING jobs.id
          """, as: JobID.self)
        try Prerequisites.failDependents(db, of: gone)
        page.done += gone.count
        plan.rest += Set(plan.gone).subtracting(gone)
      }
      for (state, ids) in plan.moved {
        if action == .resume { try Self.givePass(db, where: "hot.id \(in: ids)") }
        let set = Assignments(action == .resume ? Self.resuming : Self.pausing)
        page.done += try db.change(set.with("state = \(state.rawValue)"), where: "hot.id \(in: ids)")
      }
      page.rest = plan.rest.sorted()
      return page
    }
  }

  /// The assignments when a job starts over, whether its owner or recovery starts it.
  static var queuedAgain: Assignments {
    var all = startedOver.with("state = 'queued', runner = NULL, command = NULL")
    let name: SQL = "file_name = CASE WHEN output IS NULL AND NOT \(Sums.isRepair) THEN NULL ELSE file_name END"
    all.jobs = all.jobs.map { "\(name), \($0)" }
    return all
  }

  /// The assignments, except state and name, when a job starts without bytes. A repair keeps both the permission to
  /// replace the target and the proof of its bytes, or neither (P2).
  private static var startedOver: Assignments {
    let kept = ["published", "digest", "digest_source", "final_url", "response"].map { column -> SQL in
      "\(raw: column) = CASE WHEN \(Sums.isRepair) THEN \(raw: column) END"
    }
    return Assignments(
      """
      publishing = NULL, digest_retried = 0, retries_used = 0, furthest = 0, not_before = NULL, waiting_since = NULL,
      start_at = NULL, finished_at = NULL, submitted_at = NULL
      """,
      jobs: "\(kept.joined(by: ", ")), failure = NULL, note = NULL",
      checkpoint: "\(Checkpoints.nothing), size = NULL")
  }

  /// Fixes a new name for a job that starts without bytes, because another job may have the old name.
  private static func nameAgain(_ db: Session, _ job: Job) throws {
    let specification = job.specification
    // The target of a repair keeps its name.
    guard specification.options.repairs == nil || job.fileName == nil else { return }
    let name = try specification.output.map {
      try db.freeName(
        job.fileName ?? $0, in: specification.directory, policy: specification.options.onConflict, besides: job.id)
    }
    guard name != job.fileName else { return }
    try db.run("UPDATE jobs SET file_name = \(name) WHERE id = \(job.id)")
  }

  /// Applies `action` to each job in one durable transaction. `columns` is called for each job that changes its state.
  /// It returns further assignments, and may write to the database.
  private func control(
    _ action: ControlAction, _ ids: [JobID], with removed: ArrangementRule.Removed? = nil,
    columns: @escaping @Sendable (Session, Job) throws -> Assignments
  ) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await transaction(.durable) { db in
      // All commands lock jobs in the same order, so that they cannot deadlock.
      let lock: SQL = "SELECT 1 FROM \(.hot) WHERE id \(in: ids) ORDER BY id\(.forUpdate)"
      let jobs = try Self.jobs(db, where: "id \(in: ids)", after: lock)
      let spared = try removed.map { try Self.spare(db, jobs, removed: $0) } ?? []
      var known = RowsByID(jobs) { $0.id }
      var (gone, again, changed): ([JobID], [JobID], [JobID]) = ([], [], [])
      var results: [(id: JobID, result: ControlResult)] = []
      for id in ids where !spared.contains(id) {
        // If a job is named twice, read the job again, because the first command has changed it.
        if changed.contains(id) { known.set(id, to: try Self.jobs(db, ids: [id]).first) }
        guard let before = known[id] else {
          results.append((id, .unknown))
          continue
        }
        let result = try Self.apply(action, to: before, db, columns)
        results.append((id, result))
        changed.append(id)
        guard case .done = result else { continue }
        switch ControlMove.decide(action, in: before.state) {
        case .delete:
          gone.append(id)
          known.set(id, to: nil)
          changed.removeLast()
        case .to: if before.state == .failed { again.append(id) }
        default: break
        }
      }
      try Prerequisites.failDependents(db, of: gone)
      if !again.isEmpty { try Self.queueDependents(db, of: again) }
      return try Self.withPresent(results, removed: Set(gone), again: !again.isEmpty, db)
    }
  }

  /// Returns the results with the present jobs.
  private static func withPresent(
    _ results: [(id: JobID, result: ControlResult)], removed: Set<JobID>, again: Bool, _ db: Session
  ) throws -> [(id: JobID, result: ControlResult)] {
    let present = RowsByID(try jobs(db, ids: Array(Set(results.map(\.id)).subtracting(removed)))) { $0.id }
    return results.map { id, result in
      switch result {
      case .done(let before):
        guard let now = present[id] else { return (id, .done(before)) }
        // The job failed again at once, because one of its prerequisites has failed.
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
    _ action: ControlAction, to job: Job, _ db: Session, _ columns: (Session, Job) throws -> Assignments
  ) throws -> ControlResult {
    let id = job.id
    switch ControlMove.decide(action, in: job.state) {
    case .refuse(let reason, let advice): return .refused(reason, advice: advice?.naming(id))
    case .delete:
      try db.run("DELETE FROM jobs WHERE id = \(id)")
      return .done(job)
    case .withdraw:
      try db.run("UPDATE \(.hot) SET command = NULL WHERE id = \(id) AND command = 'pause'")
      return .done(job)
    case .ask(let command):
      if action == .setURL { _ = try columns(db, job) }
      try db.run("UPDATE \(.hot) SET command = \(command.rawValue) WHERE id = \(id)")
      return .asked(job)
    case .to(let state):
      do {
        try db.change(columns(db, job).with("state = \(state.rawValue)"), where: "hot.id = \(id)")
        return .done(job)
      } catch let failure as Failure {
        // Another job has this target, so nothing was changed.
        return .refused(failure.description, advice: failure.advice)
      }
    }
  }

  /// Queues the jobs that failed because of the retried jobs, except those with another failed prerequisite, which fail
  /// again.
  private static func queueDependents(_ db: Session, of again: [JobID]) throws {
    var queued = again
    for id in again {
      try Prerequisites.dropMissing(db, of: id)
      for dependent in try Prerequisites.failedDependents(db, of: id) {
        guard let job = try lockedJob(db, dependent) else { continue }
        do {
          try nameAgain(db, job)
        } catch is Failure {
          // Another job now has the target; a retry of this job reports that.
          continue
        }
        try db.change(startedOver.with("state = 'queued'"), where: "hot.id = \(dependent)")
        queued.append(dependent)
      }
    }
    try Prerequisites.failDependents(db, of: Set(try queued.flatMap { try Prerequisites.failed(db, of: $0) }))
  }
}
