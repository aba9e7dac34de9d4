// Writes the records of a job's owner during the transfer. Each write names the claim, and changes nothing if a later
// claim exists (P9, P20).

internal import DrayCore

internal import struct FoundationEssentials.UUID

extension SQLStore {
  /// The tables of a job, for a statement that finds the job only if the claim owns it. The job's row is locked until
  /// the end of the transaction.
  private static func owned(_ claim: SQL) -> SQL {
    """
    \(sqlite: "jobs AS hot WHERE \(claim)",
      postgres: "jobs JOIN (SELECT hot.id FROM hot WHERE \(claim) FOR SHARE) AS held ON held.id = jobs.id")
    """
  }

  /// Changes a job if a runner owns it. Other programs are not notified, because only the owner needs the change.
  /// - Returns: Whether the runner owns the job.
  private func record(
    _ id: JobID, _ runner: UUID, _ set: Assignments, where condition: SQL = "true"
  ) async throws(Failure) -> Bool {
    let claim = claim(of: id, by: runner)
    return try await transaction(.durable, for: runner, announces: false) { db in
      try db.change(set, where: "\(claim) AND \(condition)") == 1
    }
  }

  func forgetCheckpoint(_ id: JobID, runner: UUID, note: String?) async throws(Failure) -> Bool {
    try await record(
      id, runner, Assignments(jobs: "note = \(note)", checkpoint: "\(Checkpoints.nothing), size = NULL"))
  }

  /// In SQLite, this only checks that the runner owns the job: part files of one machine need no generations.
  func recordPart(_ id: JobID, runner: UUID, _ part: PartGeneration) async throws(Failure) -> Bool {
    let text = part == PartGeneration() ? nil : part.text
    return try await record(id, runner, Assignments("\(sqlite: "runner = runner", postgres: "part = \(text)")"))
  }

  func recordDigestRetry(_ id: JobID, _ retry: DigestRetry, runner: UUID) async throws(Failure) -> Bool {
    let bit = Int32(retry.rawValue)
    return try await record(
      id, runner, Assignments("digest_retried = digest_retried | \(bit)"), where: "digest_retried & \(bit) = 0")
  }

  func beginSubmission(_ id: JobID, runner: UUID, now: Double) async throws(Failure) -> Bool {
    try await record(id, runner, Assignments("submitted_at = \(now)"))
  }

  func recordTaken(
    _ id: JobID, runner: UUID, _ checkpoint: Checkpoint?, _ change: @escaping @Sendable (inout JobOptions) -> Void
  ) async throws(Failure) -> Bool {
    let claim = claim(of: id, by: runner)
    return try await transaction(.durable, for: runner) { db in
      let select: SQL = "SELECT options\(postgres: "::text") FROM \(Self.owned(claim))"
      guard let text = try db.value(select, as: String.self) else { return false }
      // Change the present options, because other options may have changed since the job was claimed.
      var options = try JSONColumn<JobOptions>.value(text)
      change(&options)
      let set = Assignments(
        jobs: SQL.assigning(options: try JSONColumn.text(options)),
        recording: try checkpoint.map { try Checkpoints.columns($0) })
      try db.change(set, where: claim)
      if let checkpoint { try db.all(Sums.statements(checkpoint.sums, of: id)) }
      return true
    }
  }

  func fixName(
    _ id: JobID, runner: UUID, directory: String, name: String, policy: ConflictPolicy, taken: Set<String>
  ) async throws(Failure) -> String? {
    let claim = claim(of: id, by: runner)
    return try await transaction(.server, for: runner) { db in
      guard let row = try db.first("SELECT file_name FROM \(Self.owned(claim))") else { return nil }
      if let fixed: String = try row[0] { return fixed }
      let free = try db.freeName(name, in: directory, policy: policy, besides: id, taken: taken)
      try db.run("UPDATE jobs SET file_name = \(free), directory = \(directory) WHERE id = \(id)")
      return free
    }
  }

  func takeName(_ id: JobID, runner: UUID, name: String, taken: Set<String>) async throws(Failure) -> String? {
    let claim = claim(of: id, by: runner)
    return try await transaction(.server, for: runner) { db in
      guard let row = try db.first("SELECT directory FROM \(Self.owned(claim))") else { return nil }
      let free = try db.freeName(name, in: try row[0], policy: .rename, besides: id, taken: taken)
      try db.run("UPDATE jobs SET file_name = \(free) WHERE id = \(id)")
      return free
    }
  }

  func applyRules(
    _ id: JobID, runner: UUID, _ change: @escaping @Sendable (inout JobSpecification) -> Void
  ) async throws(Failure) -> Job? {
    let claim = claim(of: id, by: runner)
    return try await transaction(.durable, for: runner) { db in
      guard try db.first("SELECT 1 FROM \(.hot) WHERE \(claim)\(.forUpdate)") != nil,
        var job = try Self.jobs(db, ids: [id]).first
      else { return nil }
      let directory = job.specification.directory
      change(&job.specification)
      let specification = job.specification
      if specification.directory != directory, let name = job.fileName {
        job.fileName = try db.freeName(
          name, in: specification.directory, at: specification.targetServer,
          policy: specification.options.onConflict, besides: id)
      }
      let set = Assignments(
        SQL.placing(specification),
        jobs: """
          \(SQL.assigning(options: try JSONColumn.text(specification.options))),
          directory = \(specification.directory), file_name = \(job.fileName)
          """)
      try db.change(set, where: "hot.id = \(id)")
      return job
    }
  }

  func replaceLink(
    _ id: JobID, runner: UUID, _ change: @escaping @Sendable (inout JobSpecification) -> Void
  ) async throws(Failure) -> Bool {
    let claim = claim(of: id, by: runner)
    return try await transaction(.durable, for: runner) { db in
      guard try db.first("SELECT 1 FROM \(.hot) WHERE \(claim)\(.forUpdate)") != nil,
        var specification = try Self.jobs(db, ids: [id]).first?.specification
      else { return false }
      change(&specification)
      var column = RequestColumn()
      let url = specification.request.url
      let set = Assignments(
        "origin = \(url.origin.description)",
        jobs: """
          url = \(url.string), \(try SQL.assigning(specification.request, &column)),
          \(SQL.assigning(options: try JSONColumn.text(specification.options)))
          """)
      try db.change(set, where: "hot.id = \(id)")
      return true
    }
  }

  // MARK: News for the owner

  func commands(runner: UUID) async throws(Failure) -> [(id: JobID, command: JobCommand)] {
    try await use(for: runner) { db in
      try db.rows(
        "SELECT id, command FROM \(Self.ownedJobs(db)) WHERE runner = \(runner) AND command IS NOT NULL ORDER BY id"
      )
      .compactMap { row in try JobCommand(rawValue: try row[1]).map { (try row[0], $0) } }
    }
  }

  func rateLimits(runner: UUID) async throws(Failure) -> [JobID: Int64] {
    try await use(for: runner) { db in
      try db.rows(
        """
        SELECT hot.id, \(.option("rateLimit"))\(postgres: "::int8")
        FROM \(Self.ownedJobs(db)) \(postgres: "JOIN jobs ON jobs.id = hot.id")
        WHERE runner = \(runner) AND \(.option("rateLimit")) IS NOT NULL
        """
      ).reduce(into: [:]) { limits, row in limits[try row[0]] = try row[1] as Int64? }
    }
  }

  func windows(runner: UUID) async throws(Failure) -> [JobID: TransferWindow] {
    try await use(for: runner) { db in
      try db.rows(
        """
        SELECT id, transfer_window FROM \(Self.ownedJobs(db)) WHERE runner = \(runner) AND transfer_window IS NOT NULL
        """
      ).reduce(into: [:]) { windows, row in windows[try row[0]] = try? TransferWindow.parse(try row[1]) }
    }
  }
}
