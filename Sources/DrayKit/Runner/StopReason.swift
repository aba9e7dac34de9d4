// Why a transfer is stopped from outside.

/// Why a transfer is stopped from outside.
enum StopReason: Sendable {
  /// The runner ends.
  case shutdown
  /// On request.
  case command(JobCommand)
  /// The target cannot be.
  case refuse(Failure)
  /// Something failed that may pass.
  case fails(Failure)
  /// The target is there, and the user wants it to stay.
  case skip(path: String)
  /// The target is of the version that the server has.
  case upToDate(ResponseRecord)
  /// It is this runner's no more: its files may be another's.
  case taken
  /// The store or the lease is of no use any more.
  case lost(Failure)
}
