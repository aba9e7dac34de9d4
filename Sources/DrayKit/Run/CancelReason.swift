// Why an attempt is cancelled from outside, which determines how it ends.

enum CancelReason: Sendable {
  case end(AttemptEnd)
  /// The target already is the server's version.
  case upToDate(ResponseRecord)
  /// The store or the lease cannot be used any more, and the run ends.
  case runFails(Failure)
}
