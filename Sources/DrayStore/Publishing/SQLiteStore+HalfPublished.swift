// Claims jobs whose publish was interrupted, so that they can be recovered.

internal import DrayCore
internal import SQLite

internal import struct FoundationEssentials.UUID

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
}
