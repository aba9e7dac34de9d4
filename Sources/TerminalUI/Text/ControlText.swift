// The last step before the terminal: drops control characters, even from texts that were escaped before (P8).

/// Drops characters that control a terminal. Texts should already be escaped; this is a second safeguard.
public enum ControlText {
  /// Returns `text` without control characters, bidirectional overrides and line separators.
  public static func printable(_ text: String) -> String {
    if isPlainASCII(text) { return text }
    guard text.unicodeScalars.contains(where: isDropped) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { !isDropped($0) }))
  }

  /// Returns a message line with only this module's own styles and links.
  ///
  /// SGR (`ESC [ … m`) and OSC 8 hyperlinks pass; every other control character is dropped.
  public static func styled(_ line: String) -> String {
    guard line.unicodeScalars.contains(where: isDropped) else { return line }
    var kept = String.UnicodeScalarView()
    var rest = line.unicodeScalars[...]
    while let scalar = rest.first {
      let length = scalar == escape ? allowedSequenceLength(rest) : 0
      if length > 0 {
        kept.append(contentsOf: rest.prefix(length))
      } else if !isDropped(scalar) {
        kept.append(scalar)
      }
      rest = rest.dropFirst(max(1, length))
    }
    return String(kept)
  }

  /// Whether `text` is printable ASCII with one byte per cell. This is true of most texts, and quick to check.
  static func isPlainASCII(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  private static let escape: Unicode.Scalar = "\u{1B}"

  /// Returns the number of scalars of the SGR or OSC 8 sequence at the start of `text`; 0 if there is none.
  private static func allowedSequenceLength(_ text: Substring.UnicodeScalarView) -> Int {
    let body = text.dropFirst()
    if body.first == "[" {
      let parameters = body.dropFirst().prefix { ("0"..."9").contains($0) || $0 == ";" }
      return text[parameters.endIndex...].first == "m" ? parameters.count + 3 : 0
    }
    let opening = body.prefix(4)
    guard opening.elementsEqual("]8;;".unicodeScalars) else { return 0 }
    let address = body.dropFirst(4).prefix { ("!"..."~").contains($0) }
    guard text[address.endIndex...].prefix(2).elementsEqual("\u{1B}\\".unicodeScalars) else { return 0 }
    return address.count + 7
  }

  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
