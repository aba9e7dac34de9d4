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
    switch (DoorRule.demand(of: door, hasSecret: secret != nil), AccessArea(path: head.path)) {
    case (.closed, _): return .refused(.closed)
    case (.nothing, _), (.secret, .open), (.secret, .calls): return .open
    case (.secret, .guarded): return .secret
    }
  }

  /// Whether calls must bring the secret (``AccessArea/calls``).
  public func demandsSecret(_ head: WebRequest) -> Bool {
    DoorRule.demand(of: DoorRule.door(of: head), hasSecret: secret != nil) != .nothing
  }
}
