// Changes requests and options: when a user requests the same download again, when complete jobs are checked again, and
// when published files are repaired.

internal import DrayCore

internal import struct FoundationEssentials.UUID

extension SQLStore {
  func renew(_ id: JobID, with specification: JobSpecification) async throws(Failure) -> Bool {
    try await transaction(.server) { db in
      guard let job = try Self.lockedJob(db, id), [.queued, .interrupted, .paused].contains(job.state) else {
        return false
      }
      return try Self.renew(db, job, Self.keeping(db, job, specification))
    }
  }

  func moveLinks(
    of ids: [JobID],
    _ change: @escaping @Sendable (Job) throws(Failure) -> (specification: JobSpecification, startsOver: Bool)?
  ) async throws(Failure) -> [Job] {
    try await transaction(.durable) { db in
      try db.lock(.adding)
      var begun: [Job] = []
      for id in ids.sorted() {
        guard let before = try Self.lockedJob(db, id), [.queued, .interrupted, .paused].contains(before.state),
          let (specification, startsOver) = try change(before)
        else { continue }
        var job = before
        job.specification.request.url = specification.request.url
        let url = specification.request.url
        var set = Assignments(
          """
          origin = \(url.origin.description), state = CASE WHEN state = 'paused' THEN 'paused' ELSE 'queued' END,
          not_before = NULL, waiting_since = CASE WHEN start_at IS NULL THEN NULL ELSE waiting_since END,
          retries_used = 0, submitted_at = NULL, finished_at = NULL
          """, jobs: "url = \(url.string), failure = NULL")
        if startsOver {
          set = set.with("publishing = NULL, digest_retried = 0, furthest = 0")
          set.jobs = set.jobs.map {
            "\($0), digest = NULL, digest_source = NULL, final_url = NULL, response = NULL, note = NULL"
          }
          set.checkpoint = "\(Checkpoints.nothing), size = NULL"
          begun.append(before)
        }
        try db.change(set, where: "hot.id = \(id)")
        _ = try Self.renew(db, job, Self.keeping(db, before, specification))
      }
      return begun
    }
  }

  /// Returns the specification with the options that a locked job keeps: a file that it took over, and a repair.
  private static func keeping(
    _ db: Session, _ job: Job, _ specification: JobSpecification
  ) throws -> JobSpecification {
    var specification = specification
    let before = job.specification.options
    specification.options = specification.options.keepingAdoption(of: before)
    if !job.state.isFinished {
      specification.options.seeding = Seeding.renewed(before.seeding, by: specification.options.seeding)
    }
    if try db.isTrue("SELECT \(Sums.isRepair) FROM jobs WHERE id = \(job.id)") {
      specification.options = specification.options.keepingRepair(of: before)
    }
    return specification
  }

  /// Sets the request and options of a locked job. The part file stays where it is.
  /// - Returns: Whether the job still has the URL that the request has.
  static func renew(_ db: Session, _ job: Job, _ specification: JobSpecification) throws -> Bool {
    let (old, request) = (job.specification, specification.request)
    guard old.request.url.string == request.url.string else { return false }
    var options = specification.options
    if job.state != .complete {
      (options.partStem, options.partDirectory) = (old.options.partStem, old.options.partDirectory)
      options.askedDirectory = old.options.askedDirectory
    }
    var requests = RequestColumn()
    let set = Assignments(
      """
      priority = \(specification.priority == 0 ? old.priority : specification.priority),
      queue = coalesce(\(specification.queue), queue),
      transfer_window = coalesce(\(specification.window?.description), transfer_window)
      """,
      jobs: """
        \(try SQL.assigning(request, &requests)), \(SQL.assigning(options: try JSONColumn.text(options))),
        foreign_depth = \(specification.foreignDepth)
        """)
    return try db.change(set, where: "hot.id = \(job.id)") == 1
  }

  func recheck(_ jobs: [(id: JobID, specification: JobSpecification)]) async throws(Failure) {
    let set = Assignments(
      """
      state = 'queued', digest_retried = 0, retries_used = 0, furthest = 0, not_before = NULL, waiting_since = NULL,
      finished_at = NULL, publishing = NULL
      """, jobs: "digest = NULL, failure = NULL, note = NULL",
      checkpoint: "segments = '', received = 0, offered = NULL")
    try await transaction(.durable) { db in
      try db.lock(.adding)
      for (id, specification) in jobs {
        guard let job = try Self.lockedJob(db, id), job.state == .complete, try Self.renew(db, job, specification)
        else { continue }
        try db.change(set, where: "hot.id = \(id)")
      }
    }
  }

  // MARK: Repairs

  func beginRepair(
    _ id: JobID, _ specification: JobSpecification, sums: BlockSums, runner: UUID
  ) async throws(Failure) -> Bool {
    let fences = try await transaction(.durable, for: runner) { db -> [(JobID, Int64)]? in
      try Sums.expectRepaired(db, id, sums)
      let isOwned = try Self.set(
        db, try Self.arranged(db, id, specification), Checkpoint(), Assignments("state = 'active', runner = \(runner)"),
        where: "hot.id = \(id) AND state = 'complete'")
      return isOwned ? try Self.giveFences(db, [id]) : nil
    }
    if let fences { own(fences, runner) }
    return fences != nil
  }

  func abandonRepair(_ job: Job, runner: UUID) async throws(Failure) {
    let claim = claim(of: job.id, by: runner)
    try await transaction(.durable, for: runner) { db in
      let isOwned = try Self.set(
        db, try Self.arranged(db, job.id, job.specification), job.checkpoint, Assignments("command = NULL"),
        where: "\(claim) AND command \(.isNot) 'remove'")
      if isOwned { _ = try Self.takeBackRepair(db, job.id, note: nil, now: nil) }
    }
  }

  func queueRepair(
    _ id: JobID, _ specification: JobSpecification, _ checkpoint: Checkpoint, runner: UUID
  ) async throws(Failure) -> Bool {
    let claim = claim(of: id, by: runner)
    return try await transaction(.durable, for: runner) { db in
      let set = Assignments(
        """
        state = CASE WHEN command = 'pause' THEN 'paused' ELSE 'queued' END, runner = NULL, command = NULL,
        digest_retried = 0, retries_used = 0, furthest = 0, not_before = NULL, waiting_since = NULL, start_at = NULL,
        finished_at = NULL, publishing = NULL
        """, jobs: "failure = NULL, note = NULL")
      let isQueued = try Self.set(
        db, try Self.arranged(db, id, specification), checkpoint, set, where: "\(claim) AND command \(.isNot) 'remove'")
      if isQueued { try db.all(Sums.statements(checkpoint.sums, of: id)) }
      return isQueued
    }
  }

  /// Returns the specification with the arrangements that a job has now: others may have been added since it was read.
  private static func arranged(
    _ db: Session, _ id: JobID, _ specification: JobSpecification
  ) throws -> JobSpecification {
    guard !specification.arrangements.isEmpty, let job = try lockedJob(db, id) else { return specification }
    var kept = specification
    kept.options.source?.arrangements = job.specification.arrangements
    return kept
  }

  /// Sets the request, the options, the bytes and further columns of a job.
  /// - Returns: Whether the job meets the condition.
  private static func set(
    _ db: Session, _ specification: JobSpecification, _ checkpoint: Checkpoint, _ more: Assignments,
    where condition: SQL
  ) throws -> Bool {
    var (set, requests) = (more, RequestColumn())
    let facts: SQL = """
      \(try SQL.assigning(specification.request, &requests)),
      \(SQL.assigning(options: try JSONColumn.text(specification.options)))
      """
    set.jobs = set.jobs.map { "\(facts), \($0)" } ?? facts
    let segments = checkpoint.segments
    set.recorded = Assignments.Columns("segments, received", "\(segments.description), \(segments.count)")
    return try db.change(set, where: condition) == 1
  }
}
