// Finds a host's lines in ssh(1)'s known_hosts. libssh2 cannot read all forms of these lines: if a line ends with CR,
// or has a pattern or an unknown key type, a known host would seem to have changed its key.

internal import FoundationEssentials

/// Selects lines from a file of known hosts (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT").
package enum KnownHosts {
  /// The port that known_hosts does not write after a host name.
  private static let usualPort = 22
  /// The key types that libssh2 compares.
  private static let types: Set<String> = [
    "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa", "ssh-dss",
  ]

  /// Returns the keys of a host in the order of the file, one per line with the host's literal name. Malformed lines
  /// are skipped, as by ssh(1); so are certificate authorities and revoked keys.
  /// - Parameters:
  ///   - host: The host as in a URL.
  ///   - sign: Returns the HMAC-SHA1 of `text` with `key`, for hashed names.
  package static func lines(
    in file: some Collection<UInt8>, host: String, port: Int, sign: (_ key: [UInt8], _ text: [UInt8]) -> [UInt8]
  ) -> String {
    var name = host.lowercased()
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    let whole = port == usualPort ? name : "[\(name)]:\(port)"
    let entries = file.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).compactMap { Entry($0) }
    var found = entries.filter { $0.names(whole, sign) }
    // If no key for the port exists, the key for the default port counts, as in ssh(1).
    if found.isEmpty, whole != name { found = entries.filter { $0.names(name, sign) } }
    let revoked = Set(found.filter { $0.marker == "@revoked" }.map(\.key))
    return found.filter { $0.marker == nil && types.contains($0.type) && !revoked.contains($0.key) }
      .map { "\(whole) \($0.type) \($0.key)\n" }.joined()
  }

  private struct Entry {
    var marker: String?
    var hosts: String
    var type: String
    var key: String

    /// Parses a line; returns `nil` for a comment or a malformed line.
    init?(_ line: some Sequence<UInt8>) {
      guard let text = String(validating: Array(line), as: UTF8.self) else { return nil }
      var words = text.split { $0 == " " || $0 == "\t" }.prefix(4).map(String.init)[...]
      guard let first = words.first, !first.hasPrefix("#") else { return nil }
      if first.hasPrefix("@") { marker = words.removeFirst() }
      guard words.count >= 3 else { return nil }
      (hosts, type, key) = (words[words.startIndex], words[words.startIndex + 1], words[words.startIndex + 2])
      // A key begins with the name of its type (RFC 4253 §6.6).
      let start = [0, 0, 0, UInt8(truncatingIfNeeded: type.utf8.count)] + Array(type.utf8)
      guard let bytes = Data(base64Encoded: key), bytes.starts(with: start) else { return nil }
    }

    func names(_ host: String, _ sign: ([UInt8], [UInt8]) -> [UInt8]) -> Bool {
      if hosts.hasPrefix("|") {
        let parts = hosts.split(separator: "|")
        guard parts.count == 3, parts[0] == "1", let salt = Data(base64Encoded: String(parts[1])),
          let hash = Data(base64Encoded: String(parts[2]))
        else { return false }
        return sign(Array(salt), Array(host.utf8)) == Array(hash)
      }
      let patterns = hosts.lowercased().split(separator: ",")
      let isExcepted = patterns.contains { $0.first == "!" && Wildcard($0.dropFirst()).matches(host) }
      return !isExcepted && patterns.contains { $0.first != "!" && Wildcard($0).matches(host) }
    }
  }
}
