// Decides who may use the service, by the head of a request alone.

public import WebServer

public struct AccessPolicy: Sendable {
  /// The secret. Without one, only the loopback and the socket are open.
  public var secret: Secret?
  /// The server's names in addition to `localhost` and addresses, lowercase.
  public var names: Set<String>
  /// The origins of other pages that may send requests.
  public var origins: [WebOrigin]
  /// Whether a proxy on this machine is trusted to name its clients.
  public var trustsProxy: Bool

  /// Creates a policy; by default the strictest one that lets the owner in.
  public init(secret: Secret? = nil, names: Set<String> = [], origins: [WebOrigin] = [], trustsProxy: Bool = false) {
    (self.secret, self.names, self.origins, self.trustsProxy) = (secret, names, origins, trustsProxy)
  }

  public enum Decision: Sendable {
    /// Anyone may.
    case open
    /// A client with the secret or a session may.
    case secret
    /// A client with the secret may. A session is not enough.
    case token
    /// No client may.
    case refused(AccessRefusal)
    /// A preflight request, with its answer.
    case answered(WebResponse)
  }

  /// Decides on a request's head. The order matters: a request with a wrong name or from a wrong page learns nothing
  /// else.
  public func decision(on head: WebRequest) -> Decision {
    let listenerKind = ListenerRule.listenerKind(of: head)
    guard HostRule.allows(head.fields["Host"], listenerKind: listenerKind, names: names) else { return .refused(.host) }
    if let answer = CORSRule.preflight(head, named: origins) { return .answered(answer) }
    if AccessArea.writes(head), !OriginRule.allows(head.fields, named: origins) { return .refused(.origin) }
    let area = AccessArea(path: head.path)
    let demand = ListenerRule.demand(of: listenerKind, hasSecret: secret != nil)
    if demand == .closed { return .refused(.closed) }
    if area == .guarded, AccessArea.writes(head), TokenRule.needsToken(head) {
      return secret == nil ? .refused(.untold) : .token
    }
    return demand == .secret && area == .guarded ? .secret : .open
  }

  /// Whether calls must contain the secret (``AccessArea/calls``).
  public func demandsSecret(_ head: WebRequest) -> Bool {
    ListenerRule.demand(of: ListenerRule.listenerKind(of: head), hasSecret: secret != nil) != .nothing
  }

  /// Whether a call must contain the secret.
  /// - Parameter changes: Whether the call changes something.
  public func demandsToken(_ head: WebRequest, changes: Bool) -> Bool {
    demandsSecret(head) || changes && TokenRule.needsToken(head)
  }
}
