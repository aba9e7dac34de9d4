// The record of one attempt at a job, for its history.

/// The record of an ended attempt.
public struct AttemptRecord: Sendable, Equatable {
  /// Start, in seconds since 1970.
  public var startedAt: Double
  /// End, in seconds since 1970.
  public var endedAt: Double
  /// The outcome in one word: `complete`, `retry`, or the state that followed.
  public var outcome: String
  /// The failure, for people.
  public var message: String?
  /// The first position requested.
  public var firstByte: Int64?
  /// One past the last position written.
  public var lastByte: Int64?
  /// The name of the runner, where several machines work. A store of one machine does not keep it.
  public var runner: String?

  /// Creates a record.
  public init(
    startedAt: Double, endedAt: Double, outcome: String, message: String? = nil, firstByte: Int64? = nil,
    lastByte: Int64? = nil, runner: String? = nil
  ) {
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.outcome = outcome
    self.message = message
    self.firstByte = firstByte
    self.lastByte = lastByte
    self.runner = runner
  }
}
