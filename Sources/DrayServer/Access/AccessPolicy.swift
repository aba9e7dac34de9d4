// Decides from the head of a request alone who may use the service.

package import WebServer

package struct AccessPolicy: Sendable {
  /// The secret that clients must know. Without a secret, only the loopback and the socket in the file system are open.
  package var secret: Secret?
  /// The names under which the server may be addressed, in lowercase, in addition to `localhost` and addresses.
  package var names: Set<String>
  /// The origins of other sites' pages that may send requests.
  package var origins: [WebOrigin]
  /// Whether the service believes a proxy on this machine which client it forwards.
  package var trustsProxy: Bool

  /// Creates a policy; the default values are the strictest that still let the owner in.
  package init(secret: Secret? = nil, names: Set<String> = [], origins: [WebOrigin] = [], trustsProxy: Bool = false) {
    (self.secret, self.names, self.origins, self.trustsProxy) = (secret, names, origins, trustsProxy)
  }

  package enum Decision: Sendable {
    /// Anyone may send the request.
    case open
    /// A client that has the secret or a session may send the request.
    case secret
    /// Only a client that has the secret may send the request. A session is not enough.
    case token
    /// No client may send the request.
    case refused(AccessRefusal)
    /// The request is a preflight request, and this is its answer.
    case answered(WebResponse)
  }

  /// Decides on a request from its head. The order of the checks matters: a client that used a wrong name, or a wrong
  /// page, learns nothing else.
  package func decision(on head: WebRequest) -> Decision {
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

  /// Whether the calls in a request must contain the secret (``AccessArea/calls``).
  package func demandsSecret(_ head: WebRequest) -> Bool {
    ListenerRule.demand(of: ListenerRule.listenerKind(of: head), hasSecret: secret != nil) != .nothing
  }

  /// Whether a call must contain the secret.
  /// - Parameter changes: Whether the call changes something.
  package func demandsToken(_ head: WebRequest, changes: Bool) -> Bool {
    demandsSecret(head) || changes && TokenRule.needsToken(head)
  }
}
