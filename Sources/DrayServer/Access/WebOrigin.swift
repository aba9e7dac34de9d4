// The origin of a page (RFC 6454), as in the `Origin` field and in the configuration.

internal import DrayCore

package struct WebOrigin: Sendable, Hashable {
  /// The scheme in lowercase, for example `https`.
  let scheme: String
  /// The host and the port, without the port if it is the scheme's default; `*` stands for any.
  let authority: String

  /// The schemes of the pages of browser extensions. In some browsers each installation of an extension has another
  /// name, so the configuration may permit all names of such a scheme.
  private static let extensions: Set<String> = ["chrome-extension", "moz-extension", "safari-web-extension"]

  /// The origin `null` of pages that are opened from a file. Browsers also send `null` for pages that a site isolates,
  /// so this origin identifies no site.
  package static let file = WebOrigin(scheme: "null", authority: "")

  private init(scheme: String, authority: String) { (self.scheme, self.authority) = (scheme, authority) }

  /// Reads an origin that the configuration permits, such as `https://dray.example` or `moz-extension://*`. The result
  /// is `nil` if the text is invalid. `*` and `null` identify no site, so they are invalid here.
  package init?(allowed text: String) {
    guard let origin = WebOrigin(text), origin != .file else { return nil }
    guard origin.authority != "*" || Self.extensions.contains(origin.scheme) else { return nil }
    self = origin
  }

  /// Reads the value of an `Origin` field. The result is `nil` if the value is invalid.
  init?(_ text: String) {
    guard text != "null" else {
      self = .file
      return
    }
    guard let mark = text.firstRange(of: "://") else { return nil }
    scheme = text[..<mark.lowerBound].lowercased()
    let rest = text[mark.upperBound...].lowercased()
    guard FieldRule.isToken(scheme.utf8), !rest.isEmpty,
      rest.utf8.allSatisfy({ $0.isVisible && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "@") })
    else { return nil }
    authority = Self.withoutOwnPort(rest, scheme)
  }

  func covers(_ other: WebOrigin) -> Bool {
    scheme == other.scheme && (authority == other.authority || authority == "*")
  }

  /// Whether this is the origin of the server's own pages, given the `Host` of the request. Behind a proxy the schemes
  /// of the two differ, so schemes are not compared.
  func isOwn(host: String?) -> Bool {
    guard let host, scheme == "http" || scheme == "https" else { return false }
    return authority == Self.withoutOwnPort(host.lowercased(), scheme)
  }

  private static func withoutOwnPort(_ authority: String, _ scheme: String) -> String {
    let port = scheme == "https" ? ":443" : ":80"
    guard scheme == "http" || scheme == "https", authority.hasSuffix(port) else { return authority }
    return String(authority.dropLast(port.count))
  }
}
