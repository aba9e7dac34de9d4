// Origins of pages (RFC 6454), as `Origin` names them and as people allow them.

internal import DrayCore

/// An origin that is allowed to ask.
public struct WebOrigin: Sendable, Hashable {
  /// In lower case, such as `https`.
  let scheme: String
  /// Host and port, without a port that is the scheme's own; `*` is any.
  let authority: String

  /// Schemes of browser extensions. Some browsers give them another name at each installation, so that any may be allowed.
  private static let extensions: Set<String> = ["chrome-extension", "moz-extension", "safari-web-extension"]

  /// Reads an origin that is to be allowed: `https://dray.example`, `moz-extension://*`; nil for what is none. `*` and `null` are
  /// nobody in particular, and so are never allowed.
  public init?(allowed text: String) {
    guard let origin = WebOrigin(text) else { return nil }
    guard origin.authority != "*" || Self.extensions.contains(origin.scheme) else { return nil }
    self = origin
  }

  /// Reads the value of an `Origin` field; nil for `null` and whatever is none.
  init?(_ text: String) {
    guard let mark = text.firstRange(of: "://") else { return nil }
    scheme = text[..<mark.lowerBound].lowercased()
    let rest = text[mark.upperBound...].lowercased()
    guard FieldRule.isToken(scheme.utf8), !rest.isEmpty,
      rest.utf8.allSatisfy({ $0.isVisible && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "@") })
    else { return nil }
    authority = Self.withoutOwnPort(rest, scheme)
  }

  /// Whether a page of that origin may ask.
  func covers(_ other: WebOrigin) -> Bool {
    scheme == other.scheme && (authority == other.authority || authority == "*")
  }

  /// Whether it is the origin of pages that this server itself sends, by the `Host` that it was asked by. Behind a proxy the scheme
  /// is another one, so it is not compared.
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
