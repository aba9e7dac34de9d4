// Writes the records of a job's owner: answers and checkpoints.

internal import DrayCore
internal import SQLite

internal import struct FoundationEssentials.UUID

extension SQLiteStore {
  func recordResponse(
    _ id: JobID, runner: UUID, _ response: ResponseRecord, size: Int64?
  ) async throws(Failure) -> Bool {
    try await write(.lazy) { db in
      // The size in a checkpoint belongs to the validators and bytes in it, so the size of another version must not
      // replace it (P2).
      let isOwned =
        try db.run(
          """
          UPDATE jobs SET response = \(RecordText.of(response)), final_url = \(response.finalURL.string),
            size = CASE WHEN segments = '' THEN \(size) ELSE size END
          WHERE id = \(id) AND runner = \(runner)
          """) == 1
      if isOwned, response.head.status < 400 { try SQLiteStore.endHold(db, passedBy: id) }
      return isOwned
    }
  }

  func checkpoint(
    _ batch: [(id: JobID, checkpoint: Checkpoint)], since: [JobID: UInt32],
    expecting bad: [BlockSums.Extent], runner: UUID
  ) async throws(Failure) -> Set<JobID> {
    try await write(.durable) { [self] db in
      var held: Set<JobID> = []
      for (id, checkpoint) in batch {
        let set = Assignments(recording: try Checkpoints.columns(checkpoint))
        guard try db.change(set, where: claim(of: id, by: runner)) == 1 else { continue }
        try db.all(Sums.statements(checkpoint.sums, of: id, since: since[id]))
        held.insert(id)
      }
      if let id = batch.first?.id, held.contains(id) { try Sums.expect(db, bad, of: id) }
      return held
    }
  }
}
