// Colours and links as functions from text to text. Without terminal support the text is unchanged.

/// Adds styles and links to text, as far as the profile allows.
public struct Style: Sendable {
  private let profile: TerminalProfile

  public init(_ profile: TerminalProfile) {
    self.profile = profile
  }

  /// Returns `text` in `style`; unchanged if colour is off or the text is empty.
  public func apply(_ style: TextStyle, _ text: String) -> String {
    profile.color && !text.isEmpty ? style.opening + text + style.closing : text
  }

  public func bold(_ text: String) -> String { apply(.bold, text) }
  public func dim(_ text: String) -> String { apply(.dim, text) }
  /// Returns `text` in red, for failures.
  public func red(_ text: String) -> String { apply(.red, text) }
  /// Returns `text` in green, for complete jobs.
  public func green(_ text: String) -> String { apply(.green, text) }
  /// Returns `text` in yellow, for jobs that wait or were stopped.
  public func yellow(_ text: String) -> String { apply(.yellow, text) }
  /// Returns `text` in cyan, for jobs in progress.
  public func cyan(_ text: String) -> String { apply(.cyan, text) }

  /// Returns `text` as a link to `url` (OSC 8); unchanged if the terminal is not known to support links.
  ///
  /// Bytes of the address outside printable ASCII are percent-encoded, so that none ends the sequence early.
  public func hyperlink(_ text: String, _ url: String) -> String {
    guard profile.hyperlinks, !text.isEmpty, !url.isEmpty else { return text }
    return "\u{1B}]8;;\(Self.safeAddress(url))\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
  }

  private static func safeAddress(_ url: String) -> String {
    if url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return url }
    let digits = Array("0123456789ABCDEF")
    var address = ""
    for byte in url.utf8 {
      if (0x21...0x7E).contains(byte) {
        address.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        address += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return address
  }
}
