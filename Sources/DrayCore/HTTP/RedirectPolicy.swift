/// Decides which redirects are followed, and with which method (P15, RFC 9110 §15.4). The rules have no state; the
/// caller counts the redirects.
package enum RedirectPolicy {
  /// What to do after a redirect.
  package enum Decision: Hashable, Sendable {
    /// Follow the redirect to this URL.
    case follow(RequestURL)
    /// Stop, for this reason (printable).
    case refuse(String)
  }

  /// The default maximum number of redirects in a row.
  package static let defaultLimit = 20

  /// Whether a status redirects. The statuses 300 (which offers a choice), 304 (which is about caches), and the
  /// deprecated 305 and 306 do not redirect.
  package static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// Decides on one redirect.
  ///
  /// A URL may occur twice, because a cookie set in between may change the answer; only the limit ends a loop.
  ///
  /// - Parameters:
  ///   - from: The URL that answered.
  ///   - status: The status of the answer.
  ///   - location: Every `Location` of the answer.
  ///   - hop: The number of redirects followed so far.
  ///   - limit: The maximum number of redirects.
  package static func decide(
    from: RequestURL, status: Int, location: [String], hop: Int, limit: Int = defaultLimit
  ) -> Decision {
    guard isRedirect(status) else { return .refuse("status \(status) is not a redirect that can be followed") }
    guard let target = location.first, !target.trimmingSpaces().isEmpty else {
      return .refuse("status \(status) came without a Location")
    }
    guard location.allSatisfy({ $0 == target }) else { return .refuse("it names several different Locations") }
    return go(to: target, named: "Location", from: from, hop: hop, limit: limit)
  }

  /// Decides, by the same rules, about a page that refreshes to another URL (``RefreshField/target(of:from:)``).
  package static func decide(
    from: RequestURL, refresh target: String, hop: Int, limit: Int = defaultLimit
  ) -> Decision {
    go(to: target, named: "Refresh", from: from, hop: hop, limit: limit)
  }

  private static func go(
    to target: String, named field: String, from: RequestURL, hop: Int, limit: Int
  ) -> Decision {
    guard hop < limit else {
      return .refuse(limit == 0 ? "redirects are not allowed" : "it redirects more than \(limit) times")
    }
    switch RequestURL.resolve(location: target, against: from) {
    case .url(let url) where from.scheme == "https" && url.scheme == "http":
      return .refuse("it redirects from https to http, which is not encrypted")
    case .url(let url):
      return .follow(url)
    case .otherScheme(let scheme):
      return .refuse("it redirects to the scheme \(quoted(scheme)); only http and https are followed")
    case .invalid(let reason):
      return .refuse("its \(field) is not a URL: \(reason)")
    }
  }

  /// Returns the method of the request after a redirect. It becomes GET after 303, which names another document. For a
  /// POST it also becomes GET after 301 and 302, as browsers have always done (RFC 9110 §15.4.2, §15.4.3, §15.4.4). A
  /// request that becomes a GET loses its body.
  /// - Parameter keeping: The statuses after which the user keeps the method (`--post301` and similar).
  package static func method(after status: Int, of method: String, keeping: Set<Int> = []) -> String {
    if keeping.contains(status) { return method }
    switch (status, method) {
    case (303, "HEAD"): return "HEAD"
    case (303, _), (301, "POST"), (302, "POST"): return "GET"
    default: return method
    }
  }
}
