// Decides which doors require a secret.

public import DrayCore
public import WebServer

/// The rule for doors and the secret.
public enum DoorRule {
  /// Checks, before a server starts, that addresses reachable by other users require a secret.
  /// - Throws: ``Failure`` of the kind `usage`.
  public static func check(_ addresses: [ListenAddress], hasSecret: Bool) throws(Failure) {
    try check(addresses.map { ($0.description, $0.door) }, hasSecret: hasSecret)
  }

  /// Checks the same for sockets that already listen, such as systemd's.
  public static func check(_ listeners: [Listener], hasSecret: Bool) throws(Failure) {
    try check(listeners.map { ($0.name, $0.door) }, hasSecret: hasSecret)
  }

  private static func check(_ places: [(name: String, door: WebDoor)], hasSecret: Bool) throws(Failure) {
    guard !hasSecret, let open = places.first(where: { $0.door == .outside }) else { return }
    throw Failure(
      .usage, open.name, "other machines can reach this address, so it needs a secret",
      advice: "omit --no-secret, or listen at localhost or at a socket")
  }

  /// A door's demand on a client.
  public enum Demand: Sendable, Equatable {
    case nothing
    case secret
    /// Closed to all clients, because there is no secret to send.
    case closed
  }

  /// Returns a door's demand. Only the owner can connect to the socket's file, so the secret would prove nothing more.
  public static func demand(of door: WebDoor, hasSecret: Bool) -> Demand {
    switch door {
    case .socket: .nothing
    case .loopback: hasSecret ? .secret : .nothing
    case .outside: hasSecret ? .secret : .closed
    }
  }

  /// The fields with which proxies name their clients (RFC 7239, RFC 9110 §7.6.3, and their predecessors).
  private static let forwarding = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"]

  /// Returns the door whose rule applies. A forwarded request comes from outside, through any door of the proxy.
  public static func door(of head: WebRequest) -> WebDoor {
    forwarding.contains { head.fields[$0] != nil } ? .outside : head.door
  }
}
