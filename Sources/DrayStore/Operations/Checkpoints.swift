// The columns of a job's checkpoint.

internal import DrayCore

enum Checkpoints {
  /// Assigns a checkpoint without bytes.
  static let nothing: SQL = """
    segments = '', received = 0, etag = NULL, last_modified = NULL, date = NULL, offered = NULL, provenance = NULL,
    upload = NULL
    """

  static let names = "segments, received, size, etag, last_modified, date, offered, provenance, upload"

  /// Returns the columns of a checkpoint, without the checksums.
  static func columns(_ checkpoint: Checkpoint) throws -> Assignments.Columns {
    let validators = checkpoint.validators
    return Assignments.Columns(
      names,
      """
      \(checkpoint.segments.description), \(checkpoint.segments.count), \(checkpoint.size), \(validators.etag),
      \(validators.lastModified), \(validators.date),
      \(checkpoint.offered.isEmpty ? nil : try JSONColumn.text(checkpoint.offered)),
      \(try checkpoint.provenance.jsonText()), \(try checkpoint.upload.jsonText())
      """)
  }

  /// The assignments with which PostgreSQL's upsert replaces ``columns(_:)``.
  static let replacing = replacing(names)

  /// Returns the assignments with which PostgreSQL's upsert replaces columns.
  static func replacing(_ names: String) -> String {
    names.split(separator: ", ").map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
  }
}
