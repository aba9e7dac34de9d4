// The areas of a server, each with its own access rule.

public import WebServer

public enum AccessArea: Sendable, Equatable, CaseIterable {
  /// For everybody who can connect: the page's own files, which show nothing of the queue, and the login.
  case open
  /// For clients with the secret. The method says whether a request changes something.
  case guarded
  /// For clients with the secret, which is in the body and checked call by call. Any method may change something.
  case calls

  public init(path: String) {
    switch path {
    // Probes for health have no secret, and learn one bit.
    case "/", "/favicon.ico", "/robots.txt", "/health", "/api/v1/session", "/api/v1/openapi.json": self = .open
    case "/jsonrpc", "/rpc": self = .calls
    default: self = path.hasPrefix("/page/") ? .open : .guarded
    }
  }

  /// Whether a request may change something, so that its origin must be checked. A WebSocket may.
  public static func writes(_ head: WebRequest) -> Bool {
    if head.fields["Upgrade"] != nil { return true }
    return AccessArea(path: head.path) == .calls || !["GET", "HEAD", "OPTIONS"].contains(head.method)
  }
}
