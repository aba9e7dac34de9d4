// The address of a proxy, as aria2's options name it in parts.

/// `--all-proxy` and the others, with their users and passwords.
enum OptionProxy {
  /// The proxy as a URL; empty for none. A user in the address counts more than one beside it.
  static func address(_ proxy: String, user: String?, password: String?) -> String {
    guard !proxy.isEmpty else { return "" }
    let mark = proxy.firstRange(of: "://")
    let scheme = mark.map { String(proxy[..<$0.lowerBound]) } ?? "http"
    let rest = mark.map { String(proxy[$0.upperBound...]) } ?? proxy
    guard let user, !user.isEmpty, !rest.contains("@") else { return "\(scheme)://\(rest)" }
    return "\(scheme)://\(encoded(user)):\(encoded(password ?? ""))@\(rest)"
  }

  /// Everything but letters, digits and marks that mean nothing in a URL (RFC 3986 §2.3).
  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
      return isPlain ? String(character) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }.joined()
  }
}
