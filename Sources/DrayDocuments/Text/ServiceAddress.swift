// The addresses of services: https, except on this machine.

public import DrayCore

/// The rule for the scheme of a service's addresses.
public enum ServiceAddress {
  /// Whether a host, with or without a port, is this machine by its name alone. Services there may speak http.
  public static func isLocal(_ host: String) -> Bool {
    if host == "[::1]" || host.hasPrefix("[::1]:") { return true }
    let name = host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
    // A name such as 127.example.org begins like an address.
    return name == "localhost" || name.hasPrefix("127.") && name.allSatisfy { $0 == "." || ("0"..."9").contains($0) }
  }

  /// Returns the URL in an answer of a service, which may be relative; `nil` if it is invalid, or if it is neither
  /// https nor as the service itself.
  /// - Parameter base: The URL that answered.
  public static func resolve(_ text: String, against base: RequestURL) -> RequestURL? {
    guard let url = DocumentURL.resolve(text, against: base) else { return nil }
    return url.scheme == "https" || url.scheme == "http" && base.scheme == "http" ? url : nil
  }
}
