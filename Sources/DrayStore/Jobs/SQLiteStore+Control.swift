// Pausing, resuming, retrying and removing jobs from any process.

import DrayCore
import SQLite

extension SQLiteStore {
  func pause(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await control(.pause, ids) { _, _ in SQLiteStore.paused }
  }

  func resume(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await control(.resume, ids) { db, job in
      try SQLiteStore.givePass(db, where: "hot.id = \(job.id)")
      return SQLiteStore.resumed
    }
  }

  func retry(
    _ ids: [JobID], with specifications: [JobID: JobSpecification]
  ) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await control(.retry, ids) { db, job in
      try SQLiteStore.nameAgain(db, job)
      if let specification = specifications[job.id] {
        _ = try SQLiteStore.renew(db, job.id, specification, where: "state IS NOT 'active'")
      }
      return SQLiteStore.startedOver
    }
  }

  func remove(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await control(.remove, ids) { _, _ in "" }
  }

  func setURL(
    _ id: JobID, _ url: RequestURL, keepingCredentials: Bool,
    completing: @escaping @Sendable (TransferRequest) throws(Failure) -> TransferRequest
  ) async throws(Failure) -> ControlResult {
    let results = try await control(.setURL, [id]) { db, job in
      if job.state == .failed { try SQLiteStore.nameAgain(db, job) }
      var moved = job.specification.request.moved(to: url, keepingCredentials: keepingCredentials)
      // The user named this URL.
      moved.netrcSkipsDefault = nil
      let request = try completing(moved)
      var column = RequestColumn()
      try db.execute(
        sql: "UPDATE jobs SET url = ?, origin = ?, request = ? WHERE id = ?",
        arguments: [url.string, url.origin.description, try column.encode(request), id])
      return """
        not_before = NULL, waiting_since = iif(start_at IS NULL, NULL, waiting_since), retries_used = 0,
        submitted_at = NULL, finished_at = NULL, failure = NULL
        """
    }
    return results.first?.result ?? .unknown
  }

  func forgetFinished(before: Double?, limit: Int) async throws(Failure) -> Int {
    try await write(.durable) { db in
      try db.execute(
        sql: """
          DELETE FROM jobs WHERE id IN (
            SELECT id FROM jobs
            WHERE state IN ('complete', 'failed') AND (:before IS NULL OR finished_at < :before)
            ORDER BY id LIMIT :limit)
          """,
        arguments: ["before": before, "limit": limit])
      return db.changesCount
    }
  }

  private static let paused = "not_before = NULL, waiting_since = NULL"
  private static let resumed =
    "not_before = NULL, waiting_since = NULL, start_at = NULL, retries_used = 0, submitted_at = NULL"

  func control(
    _ action: ControlAction, allIn states: Set<JobState>, after id: JobID, limit: Int
  ) async throws(Failure) -> ControlPage {
    try await write(.durable) { db in
      var (page, plan) = (ControlPage(), ControlPlan())
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: "SELECT id, state FROM jobs WHERE id > ? AND +state IN (\(states.sql)) ORDER BY id LIMIT ?"),
        arguments: [id, limit])
      while let row = try rows.next() { plan.add(try row[0], JobState(rawValue: try row[1]), action) }
      page.last = plan.last
      func run(_ sql: String, _ ids: [JobID]) throws -> Set<JobID> {
        Set(
          try JobID.fetchAll(
            db.cachedStatement(sql: "\(sql) WHERE id IN (SELECT value FROM json_each(:ids))"),
            arguments: ["ids": try JSONColumn<[JobID]>.text(ids)]))
      }
      if !plan.gone.isEmpty {
        let gone = try run(
          """
          SELECT id FROM (SELECT id FROM jobs WHERE body IS NULL
            AND iif(state = 'complete', json_extract(options, '$.repairs') IS NULL,
              attempts = 0 AND segments = '' AND size IS NULL AND upload IS NULL))
          """, plan.gone)
        _ = try run("DELETE FROM jobs", gone.sorted())
        try Prerequisites.failDependents(db, of: gone.sorted())
        page.done += gone.count
        plan.rest += Set(plan.gone).subtracting(gone)
      }
      for (state, ids) in plan.moved {
        if action == .resume { try SQLiteStore.givePass(db, where: "hot.id \(in: ids)") }
        let set = action == .resume ? SQLiteStore.resumed : SQLiteStore.paused
        _ = try run("UPDATE jobs SET state = '\(state.rawValue)', \(set)", ids)
        page.done += ids.count
      }
      page.rest = plan.rest.sorted()
      return page
    }
  }

  /// Sets the columns of a job that its holder, or recovery after the holder's death, starts over.
  static let queuedAgain = """
    state = 'queued', runner = NULL, command = NULL,
    file_name = iif(output IS NULL AND NOT \(isRepair), NULL, file_name), \(startedOver)
    """

  /// Sets the columns of a job without bytes on disk.
  static let nothingKept = """
    segments = '', received = 0, etag = NULL, last_modified = NULL, date = NULL, offered = NULL, provenance = NULL,
    upload = NULL
    """

  /// Sets the columns of a job that starts from zero, except its state and name. A repair keeps the permission to
  /// replace the target together with its proof, or gives up both (P2).
  private static let startedOver = """
    \(nothingKept), size = NULL, publishing = NULL, digest_retried = 0,
    published = iif(\(isRepair), published, NULL), digest = iif(\(isRepair), digest, NULL),
    digest_source = iif(\(isRepair), digest_source, NULL), final_url = iif(\(isRepair), final_url, NULL),
    response = iif(\(isRepair), response, NULL),
    retries_used = 0, furthest = 0, not_before = NULL, waiting_since = NULL, start_at = NULL, finished_at = NULL,
    failure = NULL, note = NULL, submitted_at = NULL
    """

  /// Chooses the name for a job without bytes again: another job may have taken its old name.
  private static func nameAgain(_ db: Database, _ job: Job) throws {
    let specification = job.specification
    // A repair keeps the name of its file.
    guard specification.options.repairs == nil || job.fileName == nil else { return }
    let name = try specification.output.map {
      try Targets.free(
        job.fileName ?? $0, in: specification.directory, policy: specification.options.onConflict,
        besides: job.id,
        db: db)
    }
    try db.execute(sql: "UPDATE jobs SET file_name = ? WHERE id = ?", arguments: [name, job.id])
  }

  /// Applies `action` to each job in one durable transaction. `columns` is called for a job that changes its state, and
  /// may write to the database; it returns the assignments to make with the state.
  private func control(
    _ action: ControlAction, _ ids: [JobID], columns: @escaping @Sendable (Database, Job) throws -> String
  ) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await write(.durable) { db in
      var reader = JobReader()
      let select = try db.makeStatement(sql: "SELECT \(JobReader.columns) FROM jobs WHERE id = ?")
      func job(_ id: JobID) throws -> Job? {
        try Row.fetchOne(select, arguments: [id]).map { try reader.job($0) }
      }
      var gone: [JobID] = []
      var again: [JobID] = []
      let results: [(id: JobID, result: ControlResult)] = try ids.map { id in
        guard let before = try job(id) else { return (id, .unknown) }
        switch ControlMove.decide(action, in: before.state) {
        case .refuse(let reason, let advice):
          return (id, .refused(reason, advice: advice?.naming(id)))
        case .delete:
          try db.cachedStatement(sql: "DELETE FROM jobs WHERE id = ?").execute(arguments: [id])
          gone.append(id)
          return (id, .done(before))
        case .withdraw:
          try db.execute(
            sql: "UPDATE jobs SET command = NULL WHERE id = ? AND command = 'pause'", arguments: [id])
          return (id, .done(before))
        case .ask(let command):
          if action == .setURL { _ = try columns(db, before) }
          try db.execute(sql: "UPDATE jobs SET command = ? WHERE id = ?", arguments: [command.rawValue, id])
          return (id, .asked(try job(id) ?? before))
        case .to(let state):
          do {
            let set = try columns(db, before)
            try db.cachedStatement(sql: "UPDATE jobs SET state = ?, \(set) WHERE id = ?")
              .execute(arguments: [state.rawValue, id])
          } catch let failure as Failure {
            // Another job has its target. Nothing was changed.
            return (id, .refused(failure.description, advice: failure.advice))
          }
          if before.state == .failed { again.append(id) }
          return (id, .done(try job(id) ?? before))
        }
      }
      try Prerequisites.failDependents(db, of: gone)
      guard !again.isEmpty else { return results }
      try SQLiteStore.queueDependents(db, of: again)
      return try results.map { id, result in
        // A prerequisite is still failed, so the job failed again at once.
        guard case .done = result, let now = try job(id), now.state == .failed, let failure = now.failure else {
          return (id, result)
        }
        return (id, .refused(failure.reason, advice: failure.advice))
      }
    }
  }

  /// Queues jobs that failed because of the retried jobs. Fails those with another failed prerequisite.
  private static func queueDependents(_ db: Database, of again: [JobID]) throws {
    var queued = again
    for id in again {
      try Prerequisites.dropMissing(db, of: id)
      for dependent in try Prerequisites.failedDependents(db, of: id) {
        guard let job = try jobs(db, "id = ?", [dependent]).first else { continue }
        do {
          try nameAgain(db, job)
        } catch is Failure {
          // Another job has its target by now: retrying this job reports it.
          continue
        }
        try db.execute(sql: "UPDATE jobs SET state = 'queued', \(startedOver) WHERE id = ?", arguments: [dependent])
        queued.append(dependent)
      }
    }
    try Prerequisites.failDependents(db, of: Set(try queued.flatMap { try Prerequisites.failed(db, of: $0) }))
  }
}
