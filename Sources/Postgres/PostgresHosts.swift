// The hosts of a connection string.

/// Hosts in the order in which they are tried. libpq itself tries the next host after a refusal. After a timeout, the
/// caller drops the hosts up to the silent one.
struct PostgresHosts: Equatable {
  var names: [String]
  var addresses: [String]
  var ports: [String]

  /// Reads libpq's lists, with items separated by commas.
  init(names: String, addresses: String, ports: String) {
    func items(_ text: String) -> [String] {
      text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    (self.names, self.addresses, self.ports) = (items(names), items(addresses), items(ports))
  }

  private var count: Int { max(names.count, addresses.count) }

  /// Returns the hosts behind the one with this name (or address) and port; `nil` if it is the last.
  func after(_ host: String, port: String) -> PostgresHosts? {
    let known = names.isEmpty ? addresses : names
    let found = (0..<count).first { index in
      index < known.count && known[index] == host && (self.port(index) == port || self.port(index).isEmpty)
    }
    guard let found, found + 1 < count else { return nil }
    var rest = self
    rest.names = Array(names.dropFirst(found + 1))
    rest.addresses = Array(addresses.dropFirst(found + 1))
    // A single port applies to all hosts.
    if ports.count > 1 { rest.ports = Array(ports.dropFirst(found + 1)) }
    return rest
  }

  private func port(_ index: Int) -> String {
    ports.count > 1 ? (index < ports.count ? ports[index] : "") : ports.first ?? ""
  }
}
