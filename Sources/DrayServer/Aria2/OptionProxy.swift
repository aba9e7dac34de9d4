// The address of a proxy, which aria2's options give in parts.

/// `--all-proxy` and similar options, with their user names and passwords.
enum OptionProxy {
  /// Returns the proxy as a URL; empty for none. A user in the address takes precedence over a separate one.
  static func address(_ proxy: String, user: String?, password: String?) -> String {
    guard !proxy.isEmpty else { return "" }
    let mark = proxy.firstRange(of: "://")
    let scheme = mark.map { String(proxy[..<$0.lowerBound]) } ?? "http"
    let rest = mark.map { String(proxy[$0.upperBound...]) } ?? proxy
    guard let user, !user.isEmpty, !rest.contains("@") else { return "\(scheme)://\(rest)" }
    return "\(scheme)://\(encoded(user)):\(encoded(password ?? ""))@\(rest)"
  }

  /// Percent-encodes all bytes except letters, digits and marks without meaning in a URL (RFC 3986 §2.3).
  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
      return isPlain ? String(character) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }.joined()
  }
}
