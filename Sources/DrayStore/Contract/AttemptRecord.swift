/// The record of an ended attempt, for the history of its job.
package struct AttemptRecord: Sendable, Equatable {
  /// The start of the attempt, in seconds since 1970.
  package var startedAt: Double
  /// The end of the attempt, in seconds since 1970.
  package var endedAt: Double
  /// The outcome in one word: `complete`, `retry`, or the state that followed.
  package var outcome: String
  /// The failure, for people.
  package var message: String?
  /// The first position that the attempt requested.
  package var firstByte: Int64?
  /// The position after the last byte that the attempt wrote.
  package var lastByte: Int64?
  /// The name of the runner; `nil` in a store of one machine, which does not record the name.
  package var runner: String?

  package init(
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
