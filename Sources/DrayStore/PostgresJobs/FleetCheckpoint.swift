// The row of a checkpoint.

import DrayCore
import Postgres

enum FleetCheckpoint {
  /// Returns the statement that records a checkpoint, without its checksums.
  static func upsert(_ checkpoint: Checkpoint, of id: JobID) throws -> SQL {
    let validators = checkpoint.validators
    return """
      INSERT INTO checkpoints
        (job, segments, received, size, etag, last_modified, date, offered, provenance, upload)
      VALUES (\(id), \(checkpoint.segments.description), \(checkpoint.segments.count), \(checkpoint.size),
        \(validators.etag), \(validators.lastModified), \(validators.date),
        \(checkpoint.offered.isEmpty ? nil : try JSONColumn.text(checkpoint.offered)),
        \(try checkpoint.provenance.jsonText()), \(try checkpoint.upload.jsonText()))
      ON CONFLICT (job) DO UPDATE SET \(raw: replacing)
      """
  }

  /// The assignments of an upsert that replaces all columns.
  static let replacing = """
    segments = excluded.segments, received = excluded.received, size = excluded.size, etag = excluded.etag,
    last_modified = excluded.last_modified, date = excluded.date, offered = excluded.offered,
    provenance = excluded.provenance, upload = excluded.upload
    """

  /// The assignments for a job without bytes on disk.
  static let nothing = """
    segments = '', received = 0, etag = NULL, last_modified = NULL, date = NULL, offered = NULL, provenance = NULL,
    upload = NULL
    """
}
