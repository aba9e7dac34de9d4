// Finds a host's user name and password in a .netrc, as curl does.

/// The entries of a .netrc, in order.
package struct Netrc: Sendable, Equatable {
  /// A `machine` or `default` entry.
  struct Entry: Sendable, Equatable {
    /// The host in lowercase; `nil` for any host.
    var host: String?
    var login: String?
    var password: String?
  }

  /// The maximum length of a file in bytes.
  package static let longest = 1 << 20

  private(set) var entries: [Entry] = []

  /// Reads a file. Text that is not an entry is skipped, as by all readers of these files. A file that is not UTF-8 has
  /// no entries, so that no wrong password is sent.
  package init(_ bytes: some Collection<UInt8>) {
    guard OutsideText.text(bytes) != nil else { return }
    var reader = Reader(Array(bytes.prefix(Netrc.longest)))
    while let word = reader.next() {
      switch word.text {
      case "machine" where !word.isQuoted:
        guard let host = reader.next() else { return }
        entries.append(Entry(host: host.text.lowercased()))
      case "default" where !word.isQuoted:
        entries.append(Entry(host: nil))
      case "macdef" where !word.isQuoted:
        reader.skipMacro()
      case "login" where !word.isQuoted, "password" where !word.isQuoted, "account" where !word.isQuoted:
        guard let value = reader.next() else { return }
        guard let last = entries.indices.last else { continue }
        if word.text == "login" { entries[last].login = value.text }
        if word.text == "password" { entries[last].password = value.text }
      default: continue
      }
    }
  }

  /// Returns the credentials for a host.
  ///
  /// If the user name is known, the password is that of the host's first entry that has a password and names either
  /// this user or no user. If the user name is unknown, it is taken from the host's first entry with a user name. The
  /// password is the first one that the host's entries have for this user; if there is none, it is empty.
  /// - Parameters:
  ///   - host: The host as in a URL.
  ///   - user: The user name, if known.
  ///   - skippingDefault: Whether to ignore the `default` entry.
  /// - Returns: `nil` if the file has no credentials for the host.
  package func credentials(
    for host: String, user: String? = nil, skippingDefault: Bool = false
  ) -> Credentials? {
    var name = host.lowercased()
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    let own = entries.lazy.filter { $0.host.map { $0 == name } ?? !skippingDefault }
    guard let user else {
      guard let first = own.first(where: { $0.login != nil }), let login = first.login else { return nil }
      let whole = own.first { $0.host == first.host && $0.login == login && $0.password != nil }
      return Credentials(user: login, password: whole?.password ?? "")
    }
    return own.first { ($0.login == nil || $0.login == user) && $0.password != nil }
      .map { Credentials(user: user, password: $0.password ?? "") }
  }
}

private struct Reader {
  let bytes: [UInt8]
  var index = 0
  var isAtLineStart = true

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Reads a word. A quoted word may contain spaces, and the escapes `\n`, `\r`, `\t` and `\"`. A `#` at the start of a
  /// line begins a comment.
  mutating func next() -> (text: String, isQuoted: Bool)? {
    while let byte, byte <= 0x20 || byte == UInt8(ascii: "#") && isAtLineStart {
      if byte == UInt8(ascii: "#") {
        skipLine()
      } else {
        if byte == 0x0A { isAtLineStart = true }
        index += 1
      }
    }
    isAtLineStart = false
    guard let first = byte else { return nil }
    if first == UInt8(ascii: "\"") { return (quoted(), true) }
    let start = index
    while let byte, byte > 0x20 { index += 1 }
    return (String(decoding: bytes[start..<index], as: UTF8.self), false)
  }

  private mutating func quoted() -> String {
    var text: [UInt8] = []
    index += 1
    while let byte, byte != UInt8(ascii: "\"") {
      index += 1
      guard byte == UInt8(ascii: "\\"), let escaped = self.byte else {
        text.append(byte)
        continue
      }
      index += 1
      switch escaped {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      default: text.append(escaped)
      }
    }
    index = min(index + 1, bytes.count)
    return String(decoding: text, as: UTF8.self)
  }

  /// A macro ends at an empty line.
  mutating func skipMacro() {
    skipLine()
    while index < bytes.count {
      let start = index
      skipLine()
      if bytes[start..<index].allSatisfy({ $0 == 0x0D || $0 == 0x0A }) { return }
    }
  }

  private mutating func skipLine() {
    while let byte, byte != 0x0A { index += 1 }
    index = min(index + 1, bytes.count)
    isAtLineStart = true
  }
}
