// The addresses of services: https, except on this machine.

package import DrayCore

/// The rule for the scheme of a service's addresses.
package enum ServiceAddress {
  /// Whether a host, with or without a port, is this machine by its name alone. Services there may speak http, because
  /// nobody listens on the way.
  package static func isLocal(_ host: some StringProtocol) -> Bool {
    var name = host[...]
    if let colon = host.lastIndex(of: ":"), host.last != "]" { name = host[..<colon] }
    if name.lowercased() == "localhost" || name == "[::1]" { return true }
    // A name such as 127.example.org begins like an address.
    let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127"
      && numbers.allSatisfy { number in
        number.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(number) != nil
      }
  }

  /// Returns the URL in an answer of a service, which may be relative; `nil` if it is invalid, or if it is neither
  /// https nor as the service itself.
  /// - Parameter base: The URL that answered.
  package static func resolve(_ text: String, against base: RequestURL) -> RequestURL? {
    guard let url = DocumentURL.resolve(text, against: base) else { return nil }
    return url.scheme == "https" || url.scheme == "http" && base.scheme == "http" ? url : nil
  }
}
