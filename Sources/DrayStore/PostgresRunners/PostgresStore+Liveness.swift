// Finds out which runners of the fleet are alive, and stores their boards.

#if Postgres

internal import DrayCore
internal import Postgres
internal import Threads

internal import struct FoundationEssentials.UUID

extension PostgresStore {
  func acquireLease() async throws(Failure) -> any RunnerLease { try await acquireLease(named: "") }

  func acquireLease(named name: String) async throws(Failure) -> any RunnerLease {
    try await FleetLease.acquire(self, named: name)
  }

  /// How long dead runners are remembered.
  private static let memory = "interval '1 hour'"

  func runnerRecords() async throws(Failure) -> [RunnerRecord] { try await records(dead: false) }

  func deadRunnerRecords() async throws(Failure) -> [RunnerRecord] { try await records(dead: true) }

  private func records(dead: Bool) async throws(Failure) -> [RunnerRecord] {
    try await look { db in
      try db.rows(
        """
        SELECT id, nullif(name, ''), extract(epoch FROM lease_until - clock_timestamp())::float8,
          extract(epoch FROM lease_until)::float8
        FROM runners WHERE (lease_until <= clock_timestamp()) = \(dead) ORDER BY begun_at, id
        """
      ).map { row in
        let rest: Double = try row[2]
        var record = RunnerRecord(
          runner: try row[0], name: try row[1], leaseAge: max(0, FleetLease.length - rest), isDead: dead)
        (record.leaseRest, record.leaseEnd) = (rest, try row[3])
        return record
      }
    }
  }

  func livingRunners() async throws(Failure) -> Set<UUID> {
    try await look { db in Set(try db.values(PostgresStore.living, as: UUID.self)) }
  }

  func deadRunners(among runners: Set<UUID>) async throws(Failure) -> Set<UUID> {
    guard !runners.isEmpty else { return [] }
    return try await look { db in
      Set(
        try db.values(
          """
          SELECT named FROM unnest(\(Array(runners))) AS named
          WHERE NOT EXISTS (SELECT 1 FROM runners WHERE id = named AND lease_until > clock_timestamp())
          """, as: UUID.self))
    }
  }

  func ownedJobCounts() async throws(Failure) -> [UUID: Int] {
    try await look { db in
      let held = db.fences.ownedJobs(now: SteadyClock.now())
      return try db.rows("SELECT runner, count(*) FROM \(held) GROUP BY 1").reduce(into: [:]) { counts, row in
        counts[try row[0]] = try row[1]
      }
    }
  }

  func failedAttempts() async throws(Failure) -> [String: Int]? {
    try await look { db in
      return try db.rows(
        """
        SELECT runner, count(*) FROM attempts
        WHERE message IS NOT NULL AND runner IS NOT NULL AND ended_at > extract(epoch FROM now())::float8 - 3600
        GROUP BY 1
        """
      ).reduce(into: [:]) { counts, row in counts[try row[0]] = try row[1] }
    }
  }

  func forgetDeadRunners() async throws(Failure) {
    try await write(.lazy, announces: false) { db in
      _ = try db.all([
        """
        DELETE FROM runners WHERE lease_until <= clock_timestamp() - \(raw: PostgresStore.memory)
          AND NOT EXISTS (SELECT 1 FROM \(db.fences.ownedJobs) WHERE hot.runner = runners.id)
        """,
        "DELETE FROM boards WHERE NOT EXISTS (SELECT 1 FROM runners WHERE runners.id = boards.runner)",
      ])
    }
  }

  func board(of runner: UUID) async throws(Failure) -> RunnerBoard? {
    try await look { db in
      try db.value("SELECT board FROM boards WHERE runner = \(runner)", as: [UInt8].self).flatMap { RunnerBoard($0) }
    }
  }

  // MARK: Dead runners

  func applyCommands(
    ofDeadRunners runners: Set<UUID>, removing doomed: Set<JobID>
  ) async throws(Failure) -> [RecoveredJob] {
    guard !runners.isEmpty else { return [] }
    return try await write(.durable) { db in
      // Skip runners whose lease began again after it was found to be over. The lock prevents the other leases from
      // beginning again during this transaction.
      let living = Set(
        try db.values(
          """
          SELECT id FROM (
            SELECT id, lease_until FROM runners WHERE id = ANY(\(Array(runners))) ORDER BY id FOR UPDATE) AS found
          WHERE lease_until > clock_timestamp()
          """, as: UUID.self))
      return try PostgresStore.recover(db, ofRunners: runners.subtracting(living), removing: doomed)
    }
  }

  /// Releases the jobs of runners, and carries out pending commands.
  static func recover(
    _ db: FleetSession, ofRunners runners: Set<UUID>, removing doomed: Set<JobID>
  ) throws -> [RecoveredJob] {
    guard !runners.isEmpty else { return [] }
    let gone = try db.rows("SELECT id, process FROM runners WHERE id = ANY(\(Array(runners)))")
      .filter { try ProcessMark($0[1])?.isGone ?? false }.map { try $0[0] as UUID }
    let lost = runners.subtracting(gone)
    if !lost.isEmpty { try db.run("UPDATE hot SET part = \(OwnedJobs.lostPart) WHERE runner = ANY(\(Array(lost)))") }
    // One statement releases all jobs except those with a pending command, or with an unsafe request that was sent.
    let wanted = try db.rows(
      """
      SELECT id, command, submitted_at IS NOT NULL FROM hot
      WHERE runner = ANY(\(Array(runners))) ORDER BY id FOR UPDATE
      """)
    var recovered: [RecoveredJob] = []
    var plain: [JobID] = []
    for row in wanted {
      let id: JobID = try row[0]
      let command = (try row[1] as String?).flatMap(JobCommand.init(rawValue:))
      if command == .remove, !doomed.contains(id) { continue }
      if command == nil, try !(row[2] as Bool) {
        plain.append(id)
      } else {
        recovered += try recover(db, id, command)
      }
    }
    if !plain.isEmpty {
      try db.all([
        "UPDATE hot SET state = 'interrupted', runner = NULL WHERE id = ANY(\(plain))",
        "UPDATE jobs SET failure = NULL WHERE id = ANY(\(plain)) AND failure IS NOT NULL",
      ])
      recovered += try jobs(db, ids: plain).map { RecoveredJob(job: $0, command: nil) }
    }
    try Prerequisites.failDependents(db, of: recovered.filter { $0.command == .remove }.map(\.job.id))
    return recovered.sorted { $0.job.id < $1.job.id }
  }
}

#endif
