// Removes secrets from URLs before display (P7). Any text is accepted: even a text that is not a URL may contain a
// password.

/// URLs for display.
package enum URLRedaction {
  /// Returns the URL with `…` in place of the user name and password, and of the values of parameters with secret
  /// names.
  ///
  /// A text without secrets is returned unchanged.
  package static func redacted(_ url: String) -> String {
    guard url.utf8.contains(where: { $0 == at || $0 == equals }) else { return url }
    let bytes = Array(url.utf8)[...]
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    let rest = appendAuthority(of: bytes, to: &shown)
    let mark = rest.firstIndex { $0 == question || $0 == hash } ?? rest.endIndex
    shown += rest[..<mark]
    appendParameters(rest[mark...], to: &shown)
    return String(decoding: shown, as: UTF8.self)
  }

  /// Returns the URL without parameters that have secret values, for storing with a file.
  package static func withoutSecrets(_ url: String) -> String {
    let shown = redacted(url)
    guard shown != url, let mark = shown.firstIndex(of: "?") else { return shown }
    let pairs = shown[mark...].dropFirst().split(separator: "&").filter { !$0.contains("…") }
    return String(shown[..<mark]) + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }

  /// Redacts every URL in a text, whatever its scheme.
  package static func redactingURLs(in text: String) -> String {
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    var done = 0
    while let colon = bytes[done...].firstRange(of: "://".utf8)?.lowerBound {
      let start = bytes[done..<colon].lastIndex { !isSchemeByte($0) }.map { $0 + 1 } ?? done
      let end = bytes[colon...].firstIndex(where: endsURL) ?? bytes.endIndex
      shown += bytes[done..<start]
      shown += redacted(String(decoding: bytes[start..<end], as: UTF8.self)).utf8
      done = end
    }
    return done == 0 ? text : String(decoding: shown + bytes[done...], as: UTF8.self)
  }

  /// Returns `oci:…@host/x` for `oci:user:secret@host/x`, the name of a source that was typed like a URL. The digest in
  /// `oci:x:tag@sha256:…` is no host, and a name without a password stays unchanged.
  package static func redactingPassword(inName name: String) -> String {
    let bytes = Array(name.utf8)[...]
    guard let scheme = bytes.firstIndex(of: colon), !bytes[scheme...].starts(with: "://".utf8) else { return name }
    let rest = bytes[(scheme + 1)...]
    let digest = ["@sha256:", "@sha512:"].lazy.compactMap { rest.firstRange(of: $0.utf8)?.lowerBound }.min()
    guard let end = credentialsEnd(rest[..<(digest ?? rest.endIndex)]), rest[..<end].contains(colon) else {
      return name
    }
    return "\(String(decoding: bytes[...scheme], as: UTF8.self))…\(String(decoding: rest[end...], as: UTF8.self))"
  }

  /// Appends the authority without user name and password. Returns the part of the URL after the authority.
  private static func appendAuthority(of bytes: ArraySlice<UInt8>, to shown: inout [UInt8]) -> ArraySlice<UInt8> {
    let slashes = bytes.firstRange(of: "//".utf8)
    let isWhole = slashes.map { !bytes[..<$0.lowerBound].contains { $0 == slash || $0 == question } } ?? false
    let start = isWhole ? slashes?.upperBound ?? bytes.startIndex : bytes.startIndex
    shown += bytes[..<start]
    let rest = bytes[start...]
    guard let end = credentialsEnd(rest) else { return rest }
    shown += "…".utf8
    return rest[end...]
  }

  /// Returns the place of the `@` that ends the user name and password at the start of a text; `nil` if there are none.
  private static func credentialsEnd(_ rest: ArraySlice<UInt8>) -> Int? {
    var end = rest.firstIndex { $0 == slash || $0 == question || $0 == hash } ?? rest.endIndex
    // If the text before a `/` or `?` ends with `:` and something that is not a port, the password contains this `/` or
    // `?` unescaped, and the authority ends later.
    if let colon = rest[..<end].lastIndex(of: colon), rest[colon..<end].dropFirst().contains(where: { !$0.isDigit }),
      !rest[..<end].contains(at), rest[colon + 1] != 0x5D, rest.first != 0x5B, let last = rest.lastIndex(of: at)
    {
      end = last + 1
    }
    return rest[..<end].lastIndex(of: at)
  }

  /// The query and the fragment both have `name=value` pairs. A hidden value extends to the next `&` or `#`. A `;` or
  /// `?` in the value does not end it, because these may belong to the secret.
  private static func appendParameters(_ text: ArraySlice<UInt8>, to shown: inout [UInt8]) {
    let pairs = text.split(maxSplits: .max, omittingEmptySubsequences: false, whereSeparator: isSeparator)
    let names = pairs.map { SecretName.folded($0.prefix { $0 != equals }) }
    let isSigned = names.contains { $0.elementsEqual("sig".utf8) }
    var isHiding = false
    for (pair, name) in zip(pairs, names) {
      if pair.startIndex > text.startIndex {
        let separator = text[pair.startIndex - 1]
        if separator == ampersand || separator == hash { isHiding = false }
        if !isHiding { shown.append(separator) }
      }
      guard !isHiding else { continue }
      if let sign = pair.firstIndex(of: equals), SecretName.isSecret(name, signed: isSigned) {
        shown += pair[...sign]
        shown += "…".utf8
        isHiding = true
      } else {
        shown += pair
      }
    }
  }

  private static let (at, equals, slash) = (UInt8(ascii: "@"), UInt8(ascii: "="), UInt8(ascii: "/"))
  private static let colon = UInt8(ascii: ":")
  private static let (question, hash, ampersand) = (UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"))

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == ampersand || byte == UInt8(ascii: ";") || byte == question || byte == hash
  }

  static func isSchemeByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "+-.".utf8.contains(byte)
  }

  private static func endsURL(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x7F || "\"<>`".utf8.contains(byte)
  }
}
