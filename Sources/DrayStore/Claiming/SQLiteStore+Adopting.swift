// Records the outcome of adopting another program's partial file.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func recordAdoption(
    _ id: JobID, runner: UUID, _ outcome: Adoption.Outcome, _ checkpoint: Checkpoint?
  ) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      let select = "SELECT options FROM jobs WHERE id = ? AND runner = ?"
      guard let text = try String.fetchOne(db, sql: select, arguments: [id, runner.uuidString]) else { return false }
      // Other options may have changed since the job was claimed.
      var options = try JSONColumn<JobOptions>.value(text)
      options.adopts?.outcome = outcome
      let changed = try JSONColumn<JobOptions>.text(options)
      try db.execute(sql: "UPDATE jobs SET options = ? WHERE id = ?", arguments: [changed, id])
      guard let checkpoint else { return true }
      let isClaimed = try SQLiteStore.claim(db, checkpoint, of: id, runner)
      try SQLiteStore.record(db, checkpoint.sums, of: id)
      return isClaimed
    }
  }
}
