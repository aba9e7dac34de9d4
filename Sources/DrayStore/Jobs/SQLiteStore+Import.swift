// Jobs from another store, with their checkpoints.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func restore(_ imported: [ImportedJob], runner: UUID?, now: Double) async throws(Failure) -> [AddedJob] {
    try await write(.durable) { db in
      var added: [AddedJob] = []
      for one in imported {
        let entrance = Entrance(uuids: one.uuid.map { [0: $0] } ?? [:])
        let all = try SQLiteStore.add(db, CollectionOfOne(one.specification), now: now, seen: nil, entering: entrance)
        added += all
        guard let job = all.first, !job.existing else { continue }
        let isHeld = one.isHeld && runner != nil
        let name = try one.fileName.map { name in
          try Targets.free(
            name, in: one.specification.directory, policy: one.specification.options.onConflict, besides: job.id, db: db
          )
        }
        let state: JobState = isHeld ? .active : one.isPaused ? .paused : .queued
        var row = Arguments()
        let update = """
          UPDATE jobs SET state = \(row.bind(state.rawValue)), runner = \(row.bind(isHeld ? runner?.uuidString : nil)),
            command = \(row.bind(isHeld && one.isPaused ? JobCommand.pause.rawValue : nil)),
            file_name = ifnull(\(row.bind(name)), file_name)
          WHERE id = \(row.bind(job.id))
          """
        try db.execute(sql: update, arguments: row.all)
        guard let checkpoint = one.checkpoint, !one.isHeld else { continue }
        try SQLiteStore.claim(db, checkpoint, of: job.id)
        try SQLiteStore.record(db, checkpoint.sums, of: job.id)
      }
      for (one, job) in zip(imported, added) where !job.existing {
        try Prerequisites.add(db, job.id, after: one.waitsFor.filter(added.indices.contains).map { added[$0].id })
      }
      return added
    }
  }

  /// Claims the bytes that another store had of a job.
  private static func claim(_ db: Database, _ checkpoint: Checkpoint, of id: JobID) throws {
    var row = Arguments()
    let update = """
      UPDATE jobs SET segments = \(row.bind(checkpoint.segments.description)),
        received = \(row.bind(checkpoint.segments.count)), size = \(row.bind(checkpoint.size)),
        etag = \(row.bind(checkpoint.validators.etag)), last_modified = \(row.bind(checkpoint.validators.lastModified)),
        date = \(row.bind(checkpoint.validators.date)),
        offered = \(row.bind(checkpoint.offered.isEmpty ? nil : try JSONColumn.text(checkpoint.offered))),
        provenance = \(row.bind(try checkpoint.provenance.jsonText())), furthest = \(row.bind(checkpoint.segments.end))
      WHERE id = \(row.bind(id))
      """
    try db.execute(sql: update, arguments: row.all)
  }
}
