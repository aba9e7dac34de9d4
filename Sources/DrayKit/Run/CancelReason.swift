// Reasons for cancelling an attempt from outside.

/// The reason determines the next step.
enum CancelReason: Sendable {
  case end(AttemptEnd)
  /// The target has the server's version.
  case upToDate(ResponseRecord)
  /// The store or the lease is no longer usable, and the run ends.
  case runFails(Failure)
}
