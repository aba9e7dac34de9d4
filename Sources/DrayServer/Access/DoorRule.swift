// Which doors need a secret.

public import DrayCore

/// Who has to show the secret, by the door.
public enum DoorRule {
  /// Checks, before a server starts, that no address which others can reach is open to everybody.
  /// - Throws: ``Failure`` of the kind `usage`.
  public static func check(_ addresses: [ListenAddress], hasSecret: Bool) throws(Failure) {
    try check(addresses.map { ($0.description, $0.door) }, hasSecret: hasSecret)
  }

  /// The same for sockets that listen already, such as those that systemd has opened.
  public static func check(_ listeners: [Listener], hasSecret: Bool) throws(Failure) {
    try check(listeners.map { ($0.name, $0.door) }, hasSecret: hasSecret)
  }

  private static func check(_ places: [(name: String, door: WebDoor)], hasSecret: Bool) throws(Failure) {
    guard !hasSecret, let open = places.first(where: { $0.door == .outside }) else { return }
    throw Failure(
      .usage, open.name, "other machines can reach this address, so it needs a secret",
      advice: "omit --no-secret, or listen at localhost or at a socket")
  }

  /// What a door demands of a client.
  public enum Demand: Sendable, Equatable {
    case nothing
    case secret
    /// Nobody may come in: no secret is set that could be shown.
    case closed
  }

  /// What the door demands. The socket's file lets its owner in only, so the secret would prove nothing more.
  public static func demand(of door: WebDoor, hasSecret: Bool) -> Demand {
    switch door {
    case .socket: .nothing
    case .loopback: hasSecret ? .secret : .nothing
    case .outside: hasSecret ? .secret : .closed
    }
  }

  /// The fields by which proxies say for whom they ask (RFC 7239, RFC 9110 §7.6.3, and what was there before).
  private static let forwarding = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"]

  /// The door that counts: what a proxy forwards comes from outside, by whatever door the proxy came in.
  public static func door(of head: WebRequest) -> WebDoor {
    forwarding.contains { head.fields[$0] != nil } ? .outside : head.door
  }
}
