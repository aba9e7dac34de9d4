// The actions that clients can apply to jobs.

internal import DrayCore

enum JobAction: String, Sendable, CaseIterable {
  case pause, resume, retry, remove
  /// Fetch the file of a complete job again, with a new job. If the old file still exists, it stays.
  case again
  /// Remove a complete job, and delete its file if nobody has changed the file.
  case delete
}
