// Decides under which names a server may be addressed.

internal import Posix
package import WebServer

/// Checks the `Host` field, which prevents DNS rebinding. In that attack, a page makes the name of its own site resolve
/// to this machine, so that a browser regards the page and this server as one origin. But `Host` still contains the
/// name of the page's site.
package enum HostRule {
  /// Whether a server may be addressed by a name.
  /// - Parameters:
  ///   - host: The value of the field: a name or an address, with or without a port. The port is ignored, because it
  ///     may be forwarded.
  ///   - names: The other names under which the server may be addressed, in lowercase.
  package static func allows(_ host: String?, listenerKind: ListenerKind, names: Set<String>) -> Bool {
    // Browsers always send `Host`. Programs may omit it, but only if they connect to a socket in the file system.
    guard let host else { return listenerKind == .socket }
    guard let host = name(host) else { return false }
    let address = InternetAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    // Browsers send neither Origin nor Sec-Fetch-Site to an IPv6 address that contains an IPv4 address, so the
    // requesting page would be unknown. Clients other than browsers can use the IPv4 address itself.
    if let address, carriesIPv4(address) { return false }
    if names.contains(host) || host == "localhost" { return true }
    guard let address else { return false }
    // No attacker can make an address resolve to this machine. But the loopback accepts only loopback addresses,
    // because 0.0.0.0 leads to it as well. Browsers reach the socket through a port to which ssh forwards it, usually
    // at the loopback.
    return listenerKind == .outside || ListenerKind(address) == .loopback
  }

  /// Returns the lowercase name without its port and without a trailing dot; `nil` if the name is invalid.
  static func name(_ host: String) -> String? {
    var name = host[...]
    if name.hasPrefix("[") {
      guard let end = name.firstIndex(of: "]"), isPort(name[name.index(after: end)...]) else { return nil }
      name = name[...end]
    } else if let colon = name.firstIndex(of: ":") {
      guard isPort(name[colon...]) else { return nil }
      name = name[..<colon]
    }
    if name.hasSuffix(".") { name = name.dropLast() }
    return name.isEmpty ? nil : name.lowercased()
  }

  /// Whether an IPv6 address contains an IPv4 address: as a mapped (`::ffff:127.0.0.1`), translated, or compatible
  /// address (RFC 4291 §2.5.5, RFC 2765 §2.1).
  private static func carriesIPv4(_ address: InternetAddress) -> Bool {
    guard address.isV6, address.bytes.starts(with: Array(repeating: 0, count: 8)) else { return false }
    let (middle, isShort) = (Array(address.bytes[8..<12]), address.bytes[12..<15].allSatisfy { $0 == 0 })
    return [[0, 0, 0xFF, 0xFF], [0xFF, 0xFF, 0, 0]].contains(middle) || middle.allSatisfy { $0 == 0 } && !isShort
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty
      || text.hasPrefix(":") && text.utf8.count <= 6 && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
