/// The action after the end of a request.
public enum NextStep {
  /// The transfer is over.
  case done
  /// Start another request on the same handle. ``LoopTransfer/prepare(_:)`` is called again.
  case again
  /// Start another request after these seconds. ``LoopTransfer/tick(now:)`` continues to be called.
  case againAfter(Double)
}
