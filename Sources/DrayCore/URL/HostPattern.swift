// The host pattern of a configuration section, and its precedence over other patterns.

/// The reason why a text is not a host pattern.
public struct HostPatternError: ParseError, Sendable {
  /// One line: the error, and a valid form.
  public let message: String
  init(_ message: String) { self.message = message }
}

/// A pattern for origins: `[scheme://]host[:port]`. The host is a name, an address, `*.name` for all hosts below a
/// name, or `*`.
public struct HostPattern: Sendable, Hashable {
  /// The required scheme; `nil` for any scheme.
  public let scheme: String?
  /// The host in lowercase ASCII, or the text after `*.`; empty for every host.
  public let host: String
  /// Whether the pattern means all hosts below ``host``, but not ``host`` itself.
  public let isWildcard: Bool
  /// The required port. With `nil`, any port matches; but if a scheme is required, only that scheme's default port
  /// does.
  public let port: Int?

  /// Reads a pattern.
  /// - Throws: ``HostPatternError``.
  public static func parse(_ text: String) throws(HostPatternError) -> HostPattern {
    let mark = text.firstRange(of: "://")
    let scheme = mark.map { text[..<$0.lowerBound].lowercased() }
    if let scheme, scheme.isEmpty || !scheme.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }) {
      throw HostPatternError("\(quoted(scheme)) is not a scheme: write it like https://HOST")
    }
    let rest = mark.map { text[$0.upperBound...] } ?? text[...]
    let (name, port) = try HostPattern.split(rest)
    if name == "*" { return HostPattern(scheme: scheme, host: "", isWildcard: true, port: port) }
    let isWildcard = name.hasPrefix("*.")
    let bare = isWildcard ? name.dropFirst(2) : name
    guard !bare.contains("*") else {
      throw HostPatternError("* stands for whole labels at the beginning only: write it like *.example.org")
    }
    do throws(URLParseError) {
      let host = try HostName.normalized(ArraySlice(bare.utf8))
      return HostPattern(scheme: scheme, host: host, isWildcard: isWildcard, port: port)
    } catch {
      throw HostPatternError(error.message)
    }
  }

  private static func split(_ text: Substring) throws(HostPatternError) -> (Substring, Int?) {
    guard let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") else { return (text, nil) }
    guard let port = Int(text[text.index(after: colon)...]), (1...65_535).contains(port) else {
      throw HostPatternError(
        "\(quoted(String(text))) is not a host: a pattern is a host with or without a port, such as *.example.org:8443")
    }
    return (text[..<colon], port)
  }

  /// Whether the pattern matches an origin. `*.x` does not match `x`.
  package func matches(_ origin: Origin) -> Bool {
    if let scheme, scheme != origin.scheme { return false }
    if let port {
      guard port == origin.port else { return false }
    } else if let scheme, origin.port != Origin.defaultPort(of: scheme) {
      return false
    }
    guard isWildcard else { return host == origin.host }
    return host.isEmpty || (origin.host.hasSuffix("." + host) && origin.host.utf8.count > host.utf8.count + 1)
  }

  /// Whether this pattern takes precedence over another pattern that also matches: names over wildcards, then longer
  /// names over shorter ones, then patterns with a port, then patterns with a scheme.
  package func isMoreSpecific(than other: HostPattern) -> Bool {
    if isWildcard != other.isWildcard { return !isWildcard }
    if host.utf8.count != other.host.utf8.count { return host.utf8.count > other.host.utf8.count }
    if (port != nil) != (other.port != nil) { return port != nil }
    return scheme != nil && other.scheme == nil
  }
}
