// A request for the program.

public import Posix
internal import Synchronization

/// A request with its whole body.
public struct WebRequest: Sendable {
  /// The method as sent: `GET`.
  public var method: String
  /// The path as sent, percent-encoded; `*` for `OPTIONS *`.
  public var path: String
  /// The text after `?`, as sent.
  public var query: String?
  /// The fields.
  public var fields: WebFields
  /// The body without its transfer coding; at most ``WebLimits/body`` bytes.
  public var body: [UInt8]
  /// The client.
  public var peer: WebPeer
  /// The kind of listener that the request came through.
  public var listenerKind: ListenerKind
  /// Whether the client has authenticated.
  public var standing: ClientStanding

  /// Creates a request.
  public init(
    method: String = "GET", path: String, query: String? = nil, fields: WebFields = [:], body: [UInt8] = [],
    peer: WebPeer = .local, listenerKind: ListenerKind = .socket, standing: ClientStanding = ClientStanding()
  ) {
    (self.method, self.path, self.query, self.fields, self.body) = (method, path, query, fields, body)
    (self.peer, self.listenerKind, self.standing) = (peer, listenerKind, standing)
  }
}

/// Whether the client of a connection has authenticated. When connections run out, unauthenticated clients are
/// disconnected first.
public final class ClientStanding: Sendable {
  private let proved = Atomic<Bool>(false)

  /// Creates the standing of a client that has not authenticated.
  public init() {}

  /// Whether the client has authenticated.
  public var isProved: Bool { proved.load(ordering: .relaxed) }

  /// Records that the client sent the secret or has a session.
  public func prove() { proved.store(true, ordering: .relaxed) }
}

/// The peer of a connection.
public enum WebPeer: Sendable, Hashable {
  /// A client of a socket in the file system.
  case local
  /// An internet address with its port.
  case internet(InternetAddress)
}

extension WebPeer: CustomStringConvertible {
  /// The form for logs.
  public var description: String {
    switch self {
    case .local: "a local client"
    case .internet(let address): address.description
    }
  }
}

/// The kinds of listeners, which differ in who can connect.
public enum ListenerKind: Sendable, Hashable, CaseIterable {
  /// A socket in the file system: only its owner.
  case socket
  /// A loopback address (127.0.0.0/8, ::1): everybody with an account on this machine, and every page in their
  /// browsers.
  case loopback
  /// Any other address: everybody who can reach it.
  case outside

  /// Returns the kind of a listener at an address.
  public init(_ address: InternetAddress) {
    let bytes = address.bytes
    let isLoopback =
      address.isV6
      ? bytes == Array(repeating: 0, count: 15) + [1]
        || bytes.starts(with: Array(repeating: 0, count: 10) + [0xFF, 0xFF, 127])
      : bytes.first == 127
    self = isLoopback ? .loopback : .outside
  }
}
