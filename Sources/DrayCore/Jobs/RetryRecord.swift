/// The retry policy's record of a job: its retries, and the position that it reached.
public struct RetryRecord: Sendable, Equatable, Codable {
  /// The longest pause before a retry in seconds, unless the server asks for a longer one.
  package static let longestPause = 60.0

  /// The number of retries since the last progress.
  package var used: Int
  /// The furthest position that any attempt reached.
  package var furthest: Int64

  /// Creates a record; by default, for a new job.
  package init(used: Int = 0, furthest: Int64 = 0) {
    self.used = used
    self.furthest = furthest
  }
}

extension RetryRecord {
  /// Returns the record with the position, if it is further than any before.
  func reaching(_ position: Int64) -> RetryRecord {
    RetryRecord(used: used, furthest: max(furthest, position))
  }
}
