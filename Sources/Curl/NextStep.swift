/// What the loop does after a request has ended.
public enum NextStep {
  /// The transfer is over.
  case done
  /// Start another request on the same handle. The loop calls ``LoopTransfer/prepare(_:)`` again.
  case again
  /// Start another request after this number of seconds. Until then, the loop continues to call
  /// ``LoopTransfer/tick(now:)``.
  case againAfter(Double)
}
