// Changes the URL of a request. Secrets stay with their origin (P7).

extension TransferRequest {
  /// Returns this request with another URL. If the origin is the same, only the URL changes. For another origin, all
  /// values that are meant for the first origin are dropped: the user's header fields, cookies, `Referer`, user name
  /// and password, tokens, certificates and the body. Connection options stay: proxy, trust, addresses, timeouts. Of
  /// `.netrc`, only entries that name a host still apply.
  /// - Parameter keepingCredentials: Whether the user allows sending these values to the other origin. Signing keys are
  ///   dropped unless requests to the other URL are signed, too.
  package func moved(to other: RequestURL, keepingCredentials: Bool = false) -> TransferRequest {
    var moved = self
    moved.url = other
    guard other.origin != url.origin else { return moved }
    guard !keepingCredentials else {
      let signs = Scheme(other)?.abilities.contains(.signature) ?? false
      if signature != nil, !signs { (moved.signature, moved.credentials) = (nil, nil) }
      return moved
    }
    moved.dropSecrets()
    return moved
  }

  /// This request without the values that are meant for the origin of its URL: header fields, cookies, `Referer`, user
  /// name and password, tokens, certificates and the body. Connection options stay, as in
  /// ``moved(to:keepingCredentials:)``.
  public var withoutSecrets: TransferRequest {
    var bare = self
    bare.dropSecrets()
    return bare
  }

  private mutating func dropSecrets() {
    netrcSkipsDefault = true
    method = "GET"
    body = nil
    headers = []
    cookie = nil
    referer = nil
    credentials = nil
    netrcUser = nil
    signature = nil
    schemes?.hostKey = nil
    authentication?.bearer = nil
    authentication?.scheme = nil
    authentication?.clientCertificate = nil
    authentication?.clientKey = nil
    authentication?.clientKeyPassword = nil
    authentication?.pinnedPublicKey = nil
  }

  /// Drops the secrets that another user's request also has: if a client chooses a URL of the same origin, that user's
  /// password must not be sent for it.
  func withoutSecrets(of other: TransferRequest) -> TransferRequest {
    var bare = self
    bare.dropSecrets()
    if credentials != other.credentials || netrcUser != other.netrcUser {
      (bare.credentials, bare.netrcUser) = (credentials, netrcUser)
    }
    if headers != other.headers { bare.headers = headers.filter { !other.headers.contains($0) } }
    return bare
  }

  /// Returns the parts of this request that `moved` has lost, each in a few words without secrets.
  package func left(by moved: TransferRequest) -> [String] {
    var left: [String] = []
    if method != moved.method {
      left.append("the method \(TextSafety.escaped(method))\(body == nil ? "" : " and its body")")
    } else if body != nil, moved.body == nil {
      left.append("the body")
    }
    let kept = Set(moved.headers.map { $0.name.lowercased() })
    let fields = headers.map(\.name).filter { !kept.contains($0.lowercased()) }
    if !fields.isEmpty {
      left.append(
        "the header field\(fields.count == 1 ? "" : "s") \(fields.map(TextSafety.escaped).joined(separator: ", "))")
    }
    if cookie != nil, moved.cookie == nil { left.append("the cookies") }
    if referer != nil, moved.referer == nil { left.append("the referer") }
    if credentials != nil || netrcUser != nil, moved.credentials == nil, moved.netrcUser == nil {
      left.append(signature == nil ? "user name and password" : "the S3 keys")
    }
    let (old, new) = (authentication, moved.authentication)
    if old?.bearer != nil, new?.bearer == nil { left.append("the bearer token") }
    if old?.scheme != nil, new?.scheme == nil { left.append("the authentication scheme") }
    if old?.clientCertificate != nil, new?.clientCertificate == nil {
      left.append("the client certificate")
    } else if old?.clientKey != nil, new?.clientKey == nil {
      left.append("the private key")
    }
    if old?.pinnedPublicKey != nil, new?.pinnedPublicKey == nil { left.append("the pinned key") }
    if schemes?.hostKey != nil, moved.schemes?.hostKey == nil { left.append("the host key") }
    return left
  }
}
