// Runs the statements that both databases share on a connection to PostgreSQL.

#if Postgres

internal import DrayCore
internal import Postgres

internal import struct FoundationEssentials.UUID

extension PostgresRow: SelectedRow {}

extension FleetSession: StoreSession {
  @discardableResult
  func change(_ set: Assignments, where condition: SQL) throws -> Int {
    if let hot = set.hot, set.jobs == nil, set.checkpoint == nil, set.recorded == nil {
      return try run("UPDATE hot SET \(hot) WHERE \(condition)")
    }
    var parts: [SQL] = [
      set.hot.map { "changed AS (UPDATE hot SET \($0) WHERE \(condition) RETURNING hot.id AS job)" }
        ?? "changed AS (SELECT hot.id AS job FROM hot WHERE \(condition) FOR SHARE)"
    ]
    if let jobs = set.jobs {
      parts.append("facts AS (UPDATE jobs SET \(jobs) FROM changed WHERE jobs.id = changed.job)")
    }
    if let checkpoint = set.checkpoint {
      parts.append("bytes AS (UPDATE checkpoints SET \(checkpoint) FROM changed WHERE checkpoints.job = changed.job)")
    }
    if let recorded = set.recorded {
      parts.append(
        """
        recorded AS (
          INSERT INTO checkpoints (job, \(raw: recorded.names)) SELECT job, \(recorded.values) FROM changed
          ON CONFLICT (job) DO UPDATE SET \(raw: Checkpoints.replacing(recorded.names)))
        """)
    }
    return try run("WITH \(parts.joined(by: ", ")) SELECT job FROM changed")
  }

  func lock(_ lock: StoreLock) throws {
    if let lock = FleetSchema.Lock(rawValue: lock.rawValue) { try self.lock(lock) }
  }
}

extension PostgresStore: SQLStore {
  func transact<T: Sendable>(
    _ durability: Durability, _ runner: UUID?, _ announces: Bool,
    _ body: @escaping @Sendable (FleetSession) throws -> T
  ) async throws(Failure) -> T {
    try await write(durability, for: runner, announces: announces, body)
  }

  func use<T: Sendable>(
    for runner: UUID?, _ body: @escaping @Sendable (FleetSession) throws -> T
  ) async throws(Failure) -> T {
    try await access(for: runner, body)
  }

  func claim(of id: JobID, by runner: UUID) -> SQL { held.condition(id, runner) }

  static func ownedJobs(_ db: FleetSession) -> SQL { db.fences.ownedJobs }

  /// Takes no locks for counting, because limits do not apply to these jobs.
  static func giveFences(_ db: FleetSession, _ ids: [JobID]) throws -> [(JobID, Int64)] {
    guard !ids.isEmpty else { return [] }
    return try db.all([
      FleetSchema.Lock.claiming.statement(isShared: true),
      "UPDATE hot SET \(OwnedJobs.newFence) WHERE id = ANY(\(ids)) RETURNING id, fence",
    ])[1].map { (try $0[0], try $0[1]) }
  }

  func own(_ fences: [(JobID, Int64)], _ runner: UUID) {
    for (id, fence) in fences { held.record(fence, of: id, runner: runner) }
  }

  func disown(_ ids: [JobID], _ runner: UUID) { held.forget(ids, runner: runner) }

  static func rank(_ db: FleetSession, _ ids: [JobID], _ priority: Int?, _ ranks: [Double]) throws {
    try db.run(
      """
      UPDATE hot SET rank = ranked.rank, priority = coalesce(\(priority), priority)
      FROM unnest(\(ids), \(ranks)) AS ranked (job, rank) WHERE hot.id = ranked.job
      """)
  }

  /// The seconds by which the clocks of two programs may differ: a program knows the database's clock only as precisely
  /// as a round trip allows. If a recorded time is further in the future, the clock was set back since.
  static var clockDifference: Double { 5 }
}

#endif
