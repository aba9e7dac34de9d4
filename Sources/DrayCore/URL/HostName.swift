// Checks and normalises the host of a URL, for libcurl and for comparisons of origins.

internal import CText

enum HostName {
  /// Bytes that a host name must not contain, because other parsers would read a different host.
  private static let forbidden = Set(" \"#%/:;<=>?@[\\]^`{|}".utf8)

  /// Returns the host in lowercase ASCII: a name, an IPv4 address, or an IPv6 address in brackets.
  ///
  /// - Throws: ``URLParseError`` for an invalid host.
  static func normalized(_ bytes: ArraySlice<UInt8>) throws(URLParseError) -> String {
    guard let first = bytes.first else { throw URLParseError("the host is missing: write http://HOST/PATH") }
    if first == UInt8(ascii: "[") { return try literal(bytes) }
    let decoded = PercentEncoding.decoded(bytes)
    guard let text = String(validating: decoded, as: UTF8.self) else {
      throw URLParseError("the host is not UTF-8: write it in letters or in its xn-- form")
    }
    let host = text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : try InternationalName.ascii(text)
    guard !host.utf8.contains(where: { $0.isControl || forbidden.contains($0) }) else {
      throw URLParseError("the host \(quoted(host)) contains an invalid character")
    }
    guard host.utf8.contains(where: { $0 != UInt8(ascii: ".") }) else {
      throw URLParseError("the host \(quoted(host)) has no name")
    }
    return host
  }

  /// Reads an IPv6 address in brackets, with or without a zone (RFC 6874).
  private static func literal(_ bytes: ArraySlice<UInt8>) throws(URLParseError) -> String {
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    let parts = text.dropFirst().dropLast().split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard bytes.last == UInt8(ascii: "]"), dray_is_ipv6(String(parts[0])) == 1 else {
      throw URLParseError("\(quoted(text)) is not an IPv6 address: write it as [2001:db8::1]")
    }
    guard parts.count == 2 else { return text }
    // The zone is the name of a network interface, which is case-sensitive.
    let original = String(decoding: bytes, as: UTF8.self).dropLast().split(separator: "%", maxSplits: 1)
    let zone = original.count == 2 && original[1].hasPrefix("25") ? original[1].dropFirst(2) : original.last ?? ""
    guard original.count == 2, !zone.isEmpty, zone.utf8.allSatisfy(PercentEncoding.unreserved.contains) else {
      throw URLParseError("the zone of \(quoted(text)) is not an interface: write it as [fe80::1%25eth0]")
    }
    return "[\(parts[0])%25\(zone)]"
  }
}
