// Decides which listeners require a secret.

package import DrayCore
package import WebServer

package enum ListenerRule {
  /// Checks, before a server starts, that there is a secret if other users can reach one of the addresses.
  /// - Throws: ``Failure`` of the kind `usage` if the secret is missing.
  package static func check(_ addresses: [ListenAddress], hasSecret: Bool) throws(Failure) {
    try check(addresses.map { ($0.description, $0.listenerKind) }, hasSecret: hasSecret)
  }

  /// Applies the same check to sockets that already listen, for example those that systemd passes.
  package static func check(_ listeners: [Listener], hasSecret: Bool) throws(Failure) {
    try check(listeners.map { ($0.name, $0.listenerKind) }, hasSecret: hasSecret)
  }

  private static func check(_ places: [(name: String, listenerKind: ListenerKind)], hasSecret: Bool) throws(Failure) {
    guard !hasSecret, let open = places.first(where: { $0.listenerKind == .outside }) else { return }
    throw Failure(
      .usage, open.name, "other machines can reach this address, so it needs a secret",
      advice: "omit --no-secret, or listen at localhost or at a socket")
  }

  package enum Demand: Sendable, Equatable {
    case nothing
    case secret
    /// Closed to all clients, because the service has no secret that a client could send.
    case closed
  }

  /// Returns what a listener demands of its clients. Only the owner can connect to the socket in the file system, so
  /// the secret would prove nothing more.
  package static func demand(of listenerKind: ListenerKind, hasSecret: Bool) -> Demand {
    switch listenerKind {
    case .socket: .nothing
    case .loopback: hasSecret ? .secret : .nothing
    case .outside: hasSecret ? .secret : .closed
    }
  }

  /// The fields in which proxies name the client that they forward (RFC 7239, RFC 9110 §7.6.3, and their predecessors).
  private static let forwarding = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"]

  /// Returns the kind of listener whose rule applies to a request. A request that a proxy forwarded counts as coming
  /// from another machine, through whichever listener the proxy connects.
  package static func listenerKind(of head: WebRequest) -> ListenerKind {
    forwarding.contains { head.fields[$0] != nil } ? .outside : head.listenerKind
  }
}
