// Changes a held job as the rules for it say once its server has answered.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func applyRules(
    _ id: JobID, runner: UUID, _ change: @escaping @Sendable (inout JobSpecification) -> Void
  ) async throws(Failure) -> Job? {
    try await write(.durable) { db in
      guard var job = try SQLiteStore.jobs(db, ids: [id]).first, job.runner == runner else { return nil }
      let directory = job.specification.directory
      change(&job.specification)
      let specification = job.specification
      if specification.directory != directory, let name = job.fileName {
        job.fileName = try Targets.free(
          name, in: specification.directory, at: specification.targetServer,
          policy: specification.options.onConflict, besides: id, db: db)
      }
      var row = Arguments()
      let update = """
        UPDATE jobs SET options = \(row.bind(try JSONColumn.text(specification.options))),
          directory = \(row.bind(specification.directory)), file_name = \(row.bind(job.fileName)),
          queue = \(row.bind(specification.queue)),
          transfer_window = \(row.bind(specification.window?.description)),
          rank = iif(priority = \(row.bind(specification.priority)), rank, NULL),
          priority = \(row.bind(specification.priority))
        WHERE id = \(row.bind(id))
        """
      try db.execute(sql: update, arguments: row.all)
      return job
    }
  }
}
