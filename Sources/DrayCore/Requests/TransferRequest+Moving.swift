// Changes the URL of a request. Secrets stay with their origin (P7).

extension TransferRequest {
  /// Returns this request for another URL. Within the origin, only the URL changes. For another origin, all values for
  /// the first one are dropped: the user's header fields, cookies, `Referer`, user name and password, tokens,
  /// certificates, the body. Connection options stay: proxy, trust, addresses, timeouts, and the hosts named in
  /// `.netrc`, without its `default`.
  /// - Parameter keepingCredentials: Whether the user allows the other origin to receive these values. Signing keys are
  ///   never sent to a server.
  public func moved(to other: RequestURL, keepingCredentials: Bool = false) -> TransferRequest {
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

  /// Drops secrets that this request has in common with another user's request: a URL of the same origin that a client
  /// chooses must not be fetched with that user's password.
  func withoutSecrets(of other: TransferRequest) -> TransferRequest {
    var bare = self
    bare.dropSecrets()
    if credentials != other.credentials || netrcUser != other.netrcUser {
      (bare.credentials, bare.netrcUser) = (credentials, netrcUser)
    }
    if headers != other.headers { bare.headers = headers.filter { !other.headers.contains($0) } }
    return bare
  }

  /// Returns the parts of this request that `moved` lacks, in a few words each, without secrets.
  public func left(by moved: TransferRequest) -> [String] {
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
