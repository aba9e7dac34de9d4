// The end of a connection as its program learns of it.

/// Why nothing more reaches a client.
public enum WebGone: Error, Sendable, Hashable {
  /// It went away, or its connection broke.
  case left
  /// It read more slowly than there was to tell, and was dropped.
  case tooSlow
  /// The server stops.
  case stopping
  /// It was ended here before.
  case ended
}
