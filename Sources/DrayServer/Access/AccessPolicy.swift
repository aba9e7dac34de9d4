// Who may ask: everything that can be decided by the head of a request alone.

/// What a service permits.
public struct AccessPolicy: Sendable {
  /// The secret; without one, only the loopback and the socket let anybody in.
  public var secret: Secret?
  /// Names that the server is asked by, beside `localhost` and addresses, in lower case.
  public var names: Set<String>
  /// Origins of other pages that may ask.
  public var origins: [WebOrigin]
  /// Whether a proxy on this machine says truly for whom it asks.
  public var trustsProxy: Bool

  /// Makes a policy; without arguments the strictest that lets the owner in.
  public init(secret: Secret? = nil, names: Set<String> = [], origins: [WebOrigin] = [], trustsProxy: Bool = false) {
    (self.secret, self.names, self.origins, self.trustsProxy) = (secret, names, origins, trustsProxy)
  }

  /// What the head of a request says about who may send it.
  public enum Decision: Sendable {
    /// Whoever it is may.
    case open
    /// Who shows the secret, or has a session, may.
    case secret
    /// Only with the secret. A session is not enough.
    case token
    /// Nobody may.
    case refused(AccessRefusal)
    /// A question about the rules, with its answer.
    case answered(WebResponse)
  }

  /// Decides by the head. The order counts: what comes by a wrong name, or from a wrong page, does not learn more.
  public func decision(on head: WebRequest) -> Decision {
    let door = DoorRule.door(of: head)
    guard HostRule.allows(head.fields["Host"], door: door, names: names) else { return .refused(.host) }
    if let answer = CORSRule.preflight(head, named: origins) { return .answered(answer) }
    if AccessArea.writes(head), !OriginRule.allows(head.fields, named: origins) { return .refused(.origin) }
    let area = AccessArea(path: head.path)
    let demand = DoorRule.demand(of: door, hasSecret: secret != nil)
    if demand == .closed { return .refused(.closed) }
    if area == .guarded, AccessArea.writes(head), ChangeRule.needsToken(head) {
      return secret == nil ? .refused(.untold) : .token
    }
    return demand == .secret && area == .guarded ? .secret : .open
  }

  /// Whether calls must bring the secret (``AccessArea/calls``).
  public func demandsSecret(_ head: WebRequest) -> Bool {
    DoorRule.demand(of: DoorRule.door(of: head), hasSecret: secret != nil) != .nothing
  }

  /// Whether a call must contain the secret.
  /// - Parameter changes: whether it changes something.
  public func demandsToken(_ head: WebRequest, changes: Bool) -> Bool {
    demandsSecret(head) || changes && ChangeRule.needsToken(head)
  }
}
