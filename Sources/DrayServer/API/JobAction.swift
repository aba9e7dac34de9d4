// Actions on jobs, and their results.

internal import DrayCore

enum JobAction: String, Sendable, CaseIterable {
  case pause, resume, retry, remove
  /// Fetch the file of a complete job again, by a new job. A file that is still there stays.
  case again
  /// Remove a complete job, and delete its file if that is unchanged.
  case delete
}
