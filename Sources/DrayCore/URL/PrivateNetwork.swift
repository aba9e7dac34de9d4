// Networks that only this machine or its neighbours can reach.

/// Addresses outside the public internet (RFC 6890 and IANA's registries since).
package enum PrivateNetwork {
  /// Whether an address belongs to this machine or a private network, or stands for several hosts.
  /// - Parameter address: Four or sixteen bytes. An address of any other length is invalid and counts as private.
  package static func contains(_ address: [UInt8]) -> Bool {
    switch address.count {
    case 4: isPrivate(v4: address)
    case 16: isPrivate(v6: address)
    default: true
    }
  }

  private static func isPrivate(v4 address: [UInt8]) -> Bool {
    switch (address[0], address[1], address[2]) {
    case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): true
    // Shared address space, link-local, private use, benchmarks.
    case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (198, 18...19, _): true
    // Protocol assignments, documentation, relays of 6to4.
    case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 51, 100), (203, 0, 113): true
    default: false
    }
  }

  /// Prefixes of IPv6 addresses that embed an IPv4 address: mapped, and translated (RFC 6052).
  private static let carriers: [[UInt8]] = [
    Array(repeating: 0, count: 10) + [0xFF, 0xFF], [0, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8),
  ]

  private static func isPrivate(v6 address: [UInt8]) -> Bool {
    if carriers.contains(where: { address.starts(with: $0) }) { return isPrivate(v4: Array(address.suffix(4))) }
    // A 6to4 address contains an IPv4 address.
    if address.starts(with: [0x20, 0x02]) { return isPrivate(v4: Array(address[2..<6])) }
    // Global unicast, except protocol assignments (2001::/23, with Teredo) and documentation.
    return address[0] & 0xE0 != 0x20 || address.starts(with: [0x20, 0x01, 0]) || address.starts(with: [0x20, 0x01, 1])
      || address.starts(with: [0x20, 0x01, 0x0D, 0xB8]) || address.starts(with: [0x3F, 0xFF]) && address[2] < 0x10
  }
}
