// The areas of a server; each area has its own access rule.

package import WebServer

package enum AccessArea: Sendable, Equatable, CaseIterable {
  /// Open to everybody who can connect: the login, and the page's own files, which show nothing of the queue.
  case open
  /// Open to clients with the secret. The HTTP method tells whether a request changes something.
  case guarded
  /// Open to clients with the secret, which is in the body and is checked for each call. A request with any HTTP method
  /// may change something.
  case calls

  package init(path: String) {
    switch path {
    // Health probes have no secret, and learn only whether the service works.
    case "/", "/favicon.ico", "/robots.txt", "/health", "/api/v1/session", "/api/v1/openapi.json": self = .open
    case "/jsonrpc", "/rpc": self = .calls
    default: self = path.hasPrefix("/page/") ? .open : .guarded
    }
  }

  /// Whether a request may change something, in which case its origin must be checked. Over a WebSocket, a client may
  /// change something.
  package static func writes(_ head: WebRequest) -> Bool {
    if head.fields["Upgrade"] != nil { return true }
    return AccessArea(path: head.path) == .calls || !["GET", "HEAD", "OPTIONS"].contains(head.method)
  }
}
