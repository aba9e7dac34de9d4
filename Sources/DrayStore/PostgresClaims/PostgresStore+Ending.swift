// Releases the jobs of a runner, and finds the ends of jobs that a crash of the server undid.

#if Postgres

internal import DrayCore
internal import Postgres

internal import struct FoundationEssentials.UUID

extension PostgresStore {
  func release(_ runner: UUID) async throws(Failure) -> Int {
    let (newest, batches) = (lazyEnds.newest, lazyEnds.batches(of: runner))
    let count = try await write(.durable) { db in
      try PostgresStore.finishAgain(db, batches)
      // Write something, because the commit must wait for the disk even if no job is left to interrupt.
      try db.all([PostgresStore.logRecord])
      return try PostgresStore.interrupt(db, "runner = \(runner) AND command IS NULL", lost: true).count
    }
    lazyEnds.forget(upTo: newest, of: runner)
    held.forgetAll(of: runner)
    return count
  }

  /// Interrupts the owned jobs that meet a condition, and clears the failures of their earlier attempts.
  /// - Parameter lost: Whether the attempts may still be inside a system call.
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
    // Commands apply to any claim of the runner, so forget these claims.
    held.forget(undone.interrupted + undone.commands.map(\.id), runner: runner)
    return undone
  }
}

#endif
