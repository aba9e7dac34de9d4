// Resolves the `Location` of a server's answer to a RequestURL.

extension RequestURL {
  /// The target of a `Location`.
  package enum Resolution: Hashable, Sendable {
    case url(RequestURL)
    /// A URL of another scheme, given in lowercase.
    case otherScheme(String)
    /// The text is invalid, for this reason.
    case invalid(String)
  }

  /// Resolves a `Location` (RFC 9110 §10.2.2, RFC 3986 §5.2). Drops a user name and password in it, because a server
  /// must not choose the login.
  package static func resolve(location: String, against base: RequestURL) -> Resolution {
    do {
      let reference = URLReference(try checked(location))
      if let scheme = reference.scheme {
        guard let known = Scheme(named: scheme), SchemePolicy.allows(known, from: .server) else {
          return .otherScheme(scheme)
        }
      }
      if let authority = reference.authority {
        let scheme = reference.scheme ?? base.scheme
        return .url(try assemble(scheme, authority, path: Array(reference.path), query: reference.query).url)
      }
      if reference.scheme != nil { return .invalid("the host is missing") }
      let stays = reference.path.isEmpty
      let path = stays ? Array(base.path.utf8) : reference.path(mergedWith: base.path)
      let query = reference.query ?? (stays ? base.query.map { Array($0.utf8)[...] } : nil)
      guard let scheme = Scheme(base) else { return .otherScheme(base.scheme) }
      // The rules of the scheme also apply to relative URLs.
      let (fittingPath, fittingQuery) = try fitting(path, query, scheme)
      return .url(try fit(base.origin, path: fittingPath, query: fittingQuery))
    } catch {
      return .invalid(error.message)
    }
  }
}
