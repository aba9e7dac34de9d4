// The state of the retry policy.

/// How often a job has been tried and how far it came: the state of the retry policy.
public struct RetryRecord: Sendable, Equatable, Codable {
  /// Retries used since the last progress.
  public var used: Int
  /// The furthest position ever reached.
  public var furthest: Int64

  /// Makes a record; the default is that of a job never tried.
  public init(used: Int = 0, furthest: Int64 = 0) {
    self.used = used
    self.furthest = furthest
  }
}
