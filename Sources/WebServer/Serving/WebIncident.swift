// Events of connections, for a log.

/// An event of a connection, for the log.
public enum WebIncident: Sendable, Equatable {
  /// A request was refused before it reached the program.
  case refused(WebPeer, status: Int, message: String)
  case dropped(WebPeer, reason: String)
  /// The maximum number of clients was exceeded.
  case crowded(WebPeer)
  /// The process has no descriptors left, so no connection can be accepted for a moment.
  case outOfDescriptors
}
