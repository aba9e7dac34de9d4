// By which names a server may be asked.

internal import Posix

/// The check of `Host` against DNS rebinding: a page of somebody else's can have its own name lead to this machine, and would be
/// of the same origin as this server to a browser. The name in `Host` is still the page's.
public enum HostRule {
  /// Whether a server may be asked by that name.
  /// - Parameters:
  ///   - host: the field's value: a name or an address, with or without a port. The port says nothing: it may be forwarded.
  ///   - names: further names that are served, in lower case.
  public static func allows(_ host: String?, door: WebDoor, names: Set<String>) -> Bool {
    // No browser can be led to a socket in the file system.
    if door == .socket { return true }
    guard let host = host.flatMap(name) else { return false }
    let address = InternetAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    // Browsers send neither Origin nor Sec-Fetch-Site there, so the asking page is unknown. Others can use the plain
    // address.
    if let address, carriesIPv4(address) { return false }
    if names.contains(host) || host == "localhost" { return true }
    guard let address else { return false }
    // An address is no name that somebody could have made lead here. Not all of them are needed at the loopback, though: 0.0.0.0
    // leads there, too.
    return door == .outside || WebDoor(address) == .loopback
  }

  /// The name without its port, in lower case, and without the dot that may end it; nil for what is none.
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

  /// Whether it is an IPv6 address that contains an IPv4 address: mapped (`::ffff:127.0.0.1`), translated, or
  /// compatible (RFC 4291 §2.5.5, RFC 2765 §2.1).
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
