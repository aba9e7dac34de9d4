/// The address families that a request may use.
public enum AddressFamily: String, Sendable, Codable {
  case any, ipv4, ipv6
}
