// The record of one attempt at a job, for its history.

/// The record of an attempt that has ended.
public struct AttemptRecord: Sendable, Equatable {
  /// When it began, in seconds since 1970.
  public var startedAt: Double
  /// When it ended, in seconds since 1970.
  public var endedAt: Double
  /// How it ended, one word: `complete`, `retry`, or the state that followed.
  public var outcome: String
  /// What was said of it.
  public var message: String?
  /// The first position that it asked for.
  public var firstByte: Int64?
  /// One past the last position that it wrote.
  public var lastByte: Int64?

  /// Creates a record.
  public init(
    startedAt: Double, endedAt: Double, outcome: String, message: String? = nil, firstByte: Int64? = nil,
    lastByte: Int64? = nil
  ) {
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.outcome = outcome
    self.message = message
    self.firstByte = firstByte
    self.lastByte = lastByte
  }
}
