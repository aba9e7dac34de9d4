// The addresses that may be used.

/// The addresses that may be used.
public enum AddressFamily: String, Sendable, Codable {
  case any, ipv4, ipv6
}
