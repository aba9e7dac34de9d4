// The end of a connection, as reported to the program.

/// The reason why a client receives nothing more.
public enum WebGone: Error, Sendable, Hashable {
  /// The client left, or its connection broke.
  case left
  /// The client read too slowly and was dropped.
  case tooSlow
  case stopping
  /// The program has ended the output.
  case ended
}
