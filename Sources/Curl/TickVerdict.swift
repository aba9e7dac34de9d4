/// The action after a tick.
public enum TickVerdict {
  /// Nothing.
  case none
  /// Resume the delivery of body bytes.
  case proceed
  /// End the transfer.
  case abort
}
