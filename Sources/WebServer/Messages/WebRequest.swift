// A request for the program.

public import Posix
internal import Synchronization

public struct WebRequest: Sendable {
  /// As sent: `GET`.
  public var method: String
  /// As sent, percent-encoded; `*` for `OPTIONS *`.
  public var path: String
  /// The text after `?`, as sent.
  public var query: String?
  public var fields: WebFields
  /// The body without its transfer coding; at most ``WebLimits/body`` bytes.
  public var body: [UInt8]
  public var peer: WebPeer
  public var listenerKind: ListenerKind
  public var standing: ClientStanding

  public init(
    method: String = "GET", path: String, query: String? = nil, fields: WebFields = [:], body: [UInt8] = [],
    peer: WebPeer = .local, listenerKind: ListenerKind = .socket, standing: ClientStanding = ClientStanding()
  ) {
    (self.method, self.path, self.query, self.fields, self.body) = (method, path, query, fields, body)
    (self.peer, self.listenerKind, self.standing) = (peer, listenerKind, standing)
  }
}

/// Whether the client of a connection has authenticated. When connections run out, clients that have not are
/// disconnected first.
public final class ClientStanding: Sendable {
  private let proved = Atomic<Bool>(false)

  public init() {}

  public var isProved: Bool { proved.load(ordering: .relaxed) }

  /// The client sent the secret, or has a session.
  public func prove() { proved.store(true, ordering: .relaxed) }
}

public enum WebPeer: Sendable, Hashable {
  /// A client of a socket in the file system.
  case local
  case internet(InternetAddress)
}

extension WebPeer: CustomStringConvertible {
  public var description: String {
    switch self {
    case .local: "a local client"
    case .internet(let address): address.description
    }
  }
}
