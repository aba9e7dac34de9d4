// Unfinished publishes: claims them for recovery, and interrupts those that cannot be finished.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func claimPublishing(runner: UUID, scope: ClaimScope) async throws(Failure) -> [Job] {
    try await write(.lazy) { db in
      let ids = try JobID.fetchAll(
        db,
        sql: """
          SELECT id FROM jobs WHERE state IN ('queued', 'interrupted') AND publishing IS NOT NULL
            AND \(scope.condition) ORDER BY id
          """)
      return try SQLiteStore.take(db, ids, runner: runner)
    }
  }

  func interruptPublishing(
    _ id: JobID, runner: UUID, failure: Failure?, attempt: AttemptRecord
  ) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      try SQLiteStore.update(db, id, runner, pending: .yield, attempt: attempt) { row in
        "state = 'interrupted', runner = NULL, failure = \(row.bind(try failure.jsonText()))"
      }
    }
  }
}
