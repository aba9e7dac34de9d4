extension SchemePolicy {
  /// The parts of a request that its scheme does not support.
  package struct Objections: Sendable, Equatable {
    /// The reason why the request is refused, as a clause; `nil` if it is accepted.
    package var refusal: String?
    /// The settings that mean nothing for the scheme and are ignored.
    package var ignored: [Advice.Parameter] = []
  }

  /// Finds the parts that the scheme does not support. The request is refused if ignoring a part would change its
  /// meaning; other parts are ignored and named in the result.
  /// - Parameter bodyIsThere: Whether the request already contains its body, if it will have one.
  package static func objections(to request: TransferRequest, bodyIsThere: Bool = true) -> Objections {
    var found = Objections()
    guard let scheme = Scheme(request.url) else {
      found.refusal = "the scheme is not supported: use \(Scheme.choice)"
      return found
    }
    if let objection = CredentialRule.objection(to: request) {
      found.refusal = objection
      return found
    }
    found.refusal = request.schemeObjection
    if found.refusal != nil { return found }
    if scheme.speaksHTTP, request.schemes == nil { return found }
    let abilities = scheme.abilities
    let isUpload = request.method == "PUT" && (request.body != nil || !bodyIsThere) && abilities.contains(.upload)
    if !abilities.contains(.methods), !isUpload, !request.isSafe || request.body != nil {
      let method = TextSafety.escaped(request.method)
      found.refusal =
        abilities.contains(.upload)
        ? "\(scheme.name) takes uploads of files, and has no other methods: \(method) is for http and https"
        : "\(scheme.name) has no methods: \(method) is for http and https"
    }
    if !abilities.contains(.headerFields) {
      if !request.headers.isEmpty { found.ignored.append(.header) }
      if request.cookie != nil || request.cookies != nil { found.ignored.append(.cookie) }
      if request.referer != nil { found.ignored.append(.referer) }
      if request.userAgent != nil { found.ignored.append(.userAgent) }
    }
    if !abilities.contains(.credentials), request.credentials != nil || request.netrcUser != nil {
      found.ignored.append(.user)
    }
    if !abilities.contains(.proxy), request.proxy.map({ !$0.isEmpty }) ?? false { found.ignored.append(.proxy) }
    if request.schemes?.tls != nil, !abilities.contains(.optionalTLS) { found.ignored.append(.ssl) }
    if request.schemes?.hostKey != nil, !abilities.contains(.hostKey) { found.ignored.append(.hostPublicKey) }
    return found
  }
}

extension TransferRequest {
  /// Why the user does not allow the scheme of the URL, as a clause; `nil` if the scheme is allowed.
  public var schemeObjection: String? {
    guard let allowed = redirects?.schemes, !allowed.contains(url.scheme) else { return nil }
    return "the scheme \(url.scheme) is not allowed, only \(allowed.joined(separator: ", "))"
  }
}
