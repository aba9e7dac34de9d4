// The files in which docker, podman and skopeo keep the accounts of registries.

internal import DrayCore

/// The content of docker's `config.json`, or of containers' `auth.json`.
package struct RegistryAccounts: Sendable, Equatable {
  /// The places where a file says that an account is.
  package enum Place: Sendable, Equatable {
    case account(RegistryAccount)
    /// The program `docker-credential-NAME` knows the account of a key.
    case helper(name: String, key: String)
  }

  private var accounts: [String: RegistryAccount] = [:]
  private var helpers: [String: String] = [:]
  private var store: String?

  static let kind = "a file with accounts of registries"
  /// The keys of Docker Hub: docker writes the first one.
  private static let hubKeys = ["https://index.docker.io/v1/", "docker.io", "index.docker.io", "registry-1.docker.io"]

  /// Reads a file. Entries of a form that is not known are left out.
  /// - Throws: ``DocumentError``.
  package init(_ text: String) throws(DocumentError) {
    let root = try JSONNode.parse(text.utf8, kind: RegistryAccounts.kind)
    for member in root["auths"]?.object ?? [] {
      accounts[RegistryAccounts.folded(member.name)] = RegistryAccounts.account(member.value)
    }
    for member in root["credHelpers"]?.object ?? [] {
      if let name = member.value.string, RegistryAccounts.isHelper(name) {
        helpers[RegistryAccounts.folded(member.name)] = name
      }
    }
    store = root["credsStore"]?.string.flatMap { RegistryAccounts.isHelper($0) ? $0 : nil }
  }

  /// Returns where the account for an image may be, the likeliest place first. A key may name a namespace, which counts
  /// more than its host.
  package func places(_ reference: ImageReference) -> [Place] {
    let isHub = reference.host == ImageReference.hub
    let hosts = isHub ? RegistryAccounts.hubKeys : [reference.host]
    var keys: [String] = []
    let parts = reference.path.split(separator: "/")
    for count in stride(from: parts.count, to: 0, by: -1) {
      keys += hosts.map { RegistryAccounts.folded($0) + "/" + parts.prefix(count).joined(separator: "/") }
    }
    keys += hosts.map(RegistryAccounts.folded)
    var places: [Place] = []
    for host in hosts {
      if let name = helpers[RegistryAccounts.folded(host)] { places.append(.helper(name: name, key: host)) }
    }
    if let account = keys.lazy.compactMap({ accounts[$0] }).first { places.append(.account(account)) }
    if let store { places.append(.helper(name: store, key: hosts[0])) }
    return places
  }

  /// Returns a key without scheme and without the path of the API, in lowercase up to the first slash.
  private static func folded(_ key: String) -> String {
    var text = key[...]
    for scheme in ["https://", "http://"] where text.hasPrefix(scheme) { text = text.dropFirst(scheme.count) }
    let host = text.prefix { $0 != "/" }
    var path = text.dropFirst(host.count)
    while path.hasSuffix("/") { path = path.dropLast() }
    return host.lowercased() + (path == "/v1" || path == "/v2" ? "" : path)
  }

  private static func isHelper(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && name.first != "." && name.utf8.allSatisfy(ImageName.isPlain)
  }

  private static func account(_ node: JSONNode) -> RegistryAccount? {
    if let token = node["identitytoken"]?.string, !token.isEmpty { return .identity(token) }
    if let token = node["registrytoken"]?.string, TokenText.isUsable(token) { return .token(token) }
    if let text = node["auth"]?.string, !text.isEmpty {
      guard let bytes = Base64Text.decoded(text),
        let pair = String(validating: bytes.reversed().drop { $0 == 0 }.reversed(), as: UTF8.self),
        let colon = pair.firstIndex(of: ":")
      else { return nil }
      return .password(user: String(pair[..<colon]), secret: String(pair[pair.index(after: colon)...]))
    }
    guard let user = node["username"]?.string, let secret = node["password"]?.string, !user.isEmpty else { return nil }
    return .password(user: user, secret: secret)
  }

  /// Reads the answer of a helper program; `nil` if it has no account.
  package static func answer(of helper: [UInt8]) -> RegistryAccount? {
    guard let root = try? JSONNode.parse(helper, kind: kind), let secret = root["Secret"]?.string, !secret.isEmpty
    else { return nil }
    let user = root["Username"]?.string ?? ""
    return user == "<token>" ? .identity(secret) : .password(user: user, secret: secret)
  }
}
