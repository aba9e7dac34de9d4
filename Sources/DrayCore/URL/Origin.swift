// The origin of a URL, to which secrets belong (P7).

/// Scheme, host and port (RFC 6454 §4). Two URLs share secrets only when their origins are equal.
public struct Origin: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The scheme, in lower case.
  public let scheme: String
  /// The host in lower-case ASCII; an IPv6 address is in brackets.
  public let host: String
  /// The port, also where the URL leaves it to the scheme.
  public let port: Int

  /// Makes an origin of parts that are normalised already.
  public init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// The port a scheme means when none is named: 80, or 443 for `https`; see ``Scheme/defaultPort``.
  static func defaultPort(of scheme: String) -> Int { Scheme(named: scheme)?.defaultPort ?? 80 }

  /// `https://host`, and `:port` when it is not the scheme's own.
  public var description: String {
    port == Origin.defaultPort(of: scheme) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }
}
