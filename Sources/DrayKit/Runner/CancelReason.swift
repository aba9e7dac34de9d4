// Why an attempt is cancelled from outside.

/// Why an attempt is cancelled, and so what follows its end.
enum CancelReason: Sendable {
  /// It ends in this way.
  case end(AttemptEnd)
  /// The target is of the version that the server has.
  case upToDate(ResponseRecord)
  /// The store or the lease cannot be used any more, and the run ends.
  case runFails(Failure)
}
