// Origins of pages (RFC 6454), in the `Origin` field and in the configuration.

internal import DrayCore

public struct WebOrigin: Sendable, Hashable {
  /// The lowercase scheme, for example `https`.
  let scheme: String
  /// Host and port, without the scheme's default port; `*` for any.
  let authority: String

  /// The schemes of browser extensions. In some browsers each installation has another name, so any may be permitted.
  private static let extensions: Set<String> = ["chrome-extension", "moz-extension", "safari-web-extension"]

  /// The origin of pages that are opened from a file, `null`. Browsers also send it for pages that a site isolates, so
  /// it identifies no site.
  public static let file = WebOrigin(scheme: "null", authority: "")

  private init(scheme: String, authority: String) { (self.scheme, self.authority) = (scheme, authority) }

  /// Reads a permitted origin: `https://dray.example`, `moz-extension://*`; `nil` if invalid. `*` and `null` identify
  /// no site and are not permitted by name.
  public init?(allowed text: String) {
    guard let origin = WebOrigin(text), origin != .file else { return nil }
    guard origin.authority != "*" || Self.extensions.contains(origin.scheme) else { return nil }
    self = origin
  }

  /// Reads the value of an `Origin` field; `nil` if invalid.
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

  /// Whether it is the origin of this server's own pages, given the request's `Host`. Behind a proxy the scheme
  /// differs, so it is not compared.
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
