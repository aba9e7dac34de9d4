/// The scheme, host and port of a URL (RFC 6454 §4). Secrets are sent only to their own origin (P7).
public struct Origin: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The scheme, lowercase.
  public let scheme: String
  /// The host in lowercase ASCII. An IPv6 address is in brackets.
  public let host: String
  /// The port: the explicit port or the scheme's default.
  public let port: Int

  /// Creates an origin from normalised parts.
  public init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Returns a scheme's default port (``Scheme/defaultPort``); 80 for unknown schemes.
  static func defaultPort(of scheme: String) -> Int { Scheme(named: scheme)?.defaultPort ?? 80 }

  /// The form `https://host`, with `:port` if it is not the scheme's default.
  public var description: String {
    port == Origin.defaultPort(of: scheme) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }
}
