/// What the loop does after a tick.
public enum TickVerdict {
  /// Do nothing.
  case none
  /// Resume the delivery of body bytes.
  case proceed
  /// End the transfer.
  case abort
}
