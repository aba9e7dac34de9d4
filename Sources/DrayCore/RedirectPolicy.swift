// Which redirects are followed.

/// The rules for redirects (RFC 9110 §15.4; P13, P15).
public enum RedirectPolicy {
  /// Redirects followed in a row.
  public static let limit = 20

  /// What is done about one.
  public enum Decision: Hashable, Sendable {
    case follow(RequestURL)
    /// Not followed; the text says why.
    case refuse(String)
  }

  /// Whether this status sends on to another URL. 300 leaves the choice to a person, 304 to 306 are something else.
  public static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Decides about the answer of `url`.
  /// - Parameters:
  ///   - location: all values of `Location`.
  ///   - hop: how many redirects were followed to come here.
  public static func decide(
    from url: RequestURL, status: Int, location: [String], hop: Int, limit: Int = RedirectPolicy.limit
  ) -> Decision {
    guard let target = location.first, !target.trimmingSpaces().isEmpty else {
      return .refuse("it redirects (\(status)) without saying where to")
    }
    guard Set(location).count == 1 else { return .refuse("it redirects to \(location.count) places at once") }
    guard hop < limit else { return .refuse("more than \(limit) redirects") }
    switch RequestURL.resolve(location: String(target.trimmingSpaces()), against: url) {
    case .url(let next):
      guard !(url.scheme == "https" && next.scheme == "http") else {
        return .refuse("it redirects from https to http, to \(next)")
      }
      return .follow(next)
    case .otherScheme(let scheme):
      return .refuse("it redirects to the scheme \(quoted(scheme))")
    case .invalid(let why):
      return .refuse("it redirects to no usable URL: \(why)")
    }
  }

  /// The method of the request after a redirect (RFC 9110 §15.4.2–§15.4.4, as browsers have it).
  public static func method(after status: Int, of method: String) -> String {
    switch status {
    case 303: method == "HEAD" ? method : "GET"
    case 301, 302: method == "POST" ? "GET" : method
    default: method
    }
  }
}
