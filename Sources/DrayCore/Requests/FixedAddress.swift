// Addresses that the user gives for hosts, instead of a name lookup (curl's `--resolve`).

/// An address that the user gives for a host.
public struct FixedAddress: Sendable, Equatable, Codable {
  /// The host in lowercase; empty for any host.
  public var host: String
  /// The port; `nil` for any port.
  public var port: Int?
  /// The address to connect to. An IPv6 address is in brackets.
  public var address: String

  /// Reads `HOST:PORT:ADDRESS`; `*` means any host or port.
  /// - Returns: `nil` if the text is invalid. A list of several addresses is invalid.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, !parts[0].isEmpty else { return nil }
    host = parts[0] == "*" ? "" : parts[0].lowercased()
    if parts[1] == "*" {
      port = nil
    } else {
      guard let number = Int(parts[1]), (1...65535).contains(number) else { return nil }
      port = number
    }
    let bare = parts[2].hasPrefix("[") && parts[2].hasSuffix("]") ? String(parts[2].dropFirst().dropLast()) : parts[2]
    let isIPv6 = bare.contains(":")
    let allowed = isIPv6 ? "0123456789abcdefABCDEF:." : "0123456789."
    guard !bare.isEmpty, bare.allSatisfy(allowed.contains) else { return nil }
    address = isIPv6 ? "[\(bare)]" : bare
  }

  /// The address in libcurl's syntax (CURLOPT_CONNECT_TO(3)).
  public var line: String { "\(host):\(port.map { "\($0)" } ?? ""):\(address):" }
}
