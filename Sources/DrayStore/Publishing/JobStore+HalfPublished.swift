// Publishes that were cut off: who finishes them, and what becomes of one that cannot be finished.

package import DrayCore
import SQLite

package import struct FoundationEssentials.UUID

extension JobStore {
  /// Makes the jobs of `scope` without a holder whose publish has begun the runner's own, so that no two finish one: the target may be
  /// there already. Lazy.
  package func claimPublishing(runner: UUID, scope: ClaimScope) throws(Failure) -> [Job] {
    try write(.lazy) { db in
      let ids = try JobID.fetchAll(
        db,
        sql: """
          SELECT id FROM jobs WHERE state IN ('queued', 'interrupted') AND publishing IS NOT NULL
            AND \(scope.condition) ORDER BY id
          """)
      return try JobStore.take(db, ids, runner: runner)
    }
  }

  /// Stops a job whose publish has begun and could not be finished: it is interrupted, and recovery finishes it as it stands. One
  /// with a pending command is kept, so that the command is not lost (``release(_:)``). Durable.
  /// - Returns: whether `runner` held it, and it was done.
  package func interruptPublishing(
    _ id: JobID, runner: UUID, failure: Failure?, attempt: Attempt
  ) throws(Failure) -> Bool {
    try write(.durable) { db in
      try JobStore.update(db, id, runner, pending: .yield, attempt: attempt) { row in
        "state = 'interrupted', runner = NULL, failure = \(row.bind(try failure.jsonText()))"
      }
    }
  }
}
