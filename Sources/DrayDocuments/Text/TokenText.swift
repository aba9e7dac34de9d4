// The texts of tokens, wherever they come from.

/// The rule for tokens that are sent in header fields.
package enum TokenText {
  /// In bytes.
  private static let longest = 64 << 10

  /// Whether a token can be part of the value of a header field.
  package static func isUsable(_ text: some StringProtocol) -> Bool {
    (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Returns a token without the blanks and line ends around it; `nil` if it cannot be in a header field.
  package static func usable(_ text: String) -> String? {
    let token = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    return isUsable(token) ? token : nil
  }
}
