// The columns of a job's checkpoint.

import DrayCore

enum Checkpoints {
  /// Assigns that no bytes are on disk.
  static let nothing: SQL = """
    segments = '', received = 0, etag = NULL, last_modified = NULL, date = NULL, offered = NULL, provenance = NULL,
    upload = NULL
    """

  /// The names of ``columns(_:)``.
  static let names = [
    "segments", "received", "size", "etag", "last_modified", "date", "offered", "provenance", "upload",
  ]

  /// Returns the columns of a checkpoint, without its checksums.
  static func columns(_ checkpoint: Checkpoint) throws -> [Assignments.Column] {
    let validators = checkpoint.validators
    let values: [SQL] = [
      "\(checkpoint.segments.description)", "\(checkpoint.segments.count)", "\(checkpoint.size)", "\(validators.etag)",
      "\(validators.lastModified)", "\(validators.date)",
      "\(checkpoint.offered.isEmpty ? nil : try JSONColumn.text(checkpoint.offered))",
      "\(try checkpoint.provenance.jsonText())", "\(try checkpoint.upload.jsonText())",
    ]
    return zip(names, values).map { ($0, $1) }
  }
}
