// The parts of a server by who may ask for them.

/// What a path belongs to.
public enum AccessArea: Sendable, Equatable, CaseIterable {
  /// For everybody who may come in: the page's own files, which have nothing of the queue, and the way to log in.
  case open
  /// For clients with the secret; the answer to each method decides what it does.
  case guarded
  /// For clients with the secret, which comes in the body and is checked there, call by call. Any method may change something.
  case calls

  /// The area of a path.
  public init(path: String) {
    switch path {
    case "/", "/favicon.ico", "/robots.txt", "/api/v1/session", "/api/v1/openapi.json": self = .open
    case "/jsonrpc", "/rpc": self = .calls
    default: self = path.hasPrefix("/page/") ? .open : .guarded
    }
  }

  /// Whether a request may change something, so that its origin counts. A WebSocket may, too.
  public static func writes(_ head: WebRequest) -> Bool {
    if head.fields["Upgrade"] != nil { return true }
    return AccessArea(path: head.path) == .calls || !["GET", "HEAD", "OPTIONS"].contains(head.method)
  }
}
