// Finds links in texts that people paste: with several links in one text, or with invisible characters around a link.

/// Texts in which people give URLs.
package enum LinkText {
  /// Returns the URLs in a text. A new URL begins wherever `scheme://` follows a blank. All other blanks belong to the
  /// URL. A single URL is returned unchanged.
  package static func links(_ text: String) -> [String] {
    guard text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x80 }) else { return [text] }
    let scalars = Array(text.unicodeScalars)
    var starts = [0]
    for index in scalars.indices.dropFirst() where isBlank(scalars[index - 1]) {
      let scheme = scalars[index...].prefix {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains($0))
      }
      if scheme.count > 1, scalars[scheme.endIndex...].starts(with: "://".unicodeScalars) { starts.append(index) }
    }
    let parts = zip(starts, starts.dropFirst() + [scalars.count]).compactMap { start, end -> String? in
      var part = scalars[start..<end]
      while let last = part.last, isBlank(last) { part.removeLast() }
      while let first = part.first, isBlank(first) { part.removeFirst() }
      return part.isEmpty ? nil : String(String.UnicodeScalarView(part))
    }
    return parts.count > 1 ? parts : [text]
  }

  /// Returns a text without blanks at its ends.
  /// - Returns: The text, and the invisible characters that were removed, except ASCII spaces.
  package static func trimmed(_ text: String) -> (text: String, invisible: [Unicode.Scalar]) {
    // The usual case: ASCII characters other than a space at both ends.
    guard let first = text.utf8.first, let last = text.utf8.last,
      first <= 0x20 || first >= 0x80 || last <= 0x20 || last >= 0x80
    else { return (text, []) }
    var rest = text.unicodeScalars[...]
    var invisible: [Unicode.Scalar] = []
    func isCut(_ scalar: Unicode.Scalar) -> Bool {
      guard isBlank(scalar), scalar != "\t" else { return false }
      if scalar != " " { invisible.append(scalar) }
      return true
    }
    while let scalar = rest.first, isCut(scalar) { rest.removeFirst() }
    while let scalar = rest.last, isCut(scalar) { rest.removeLast() }
    return (String(rest), invisible)
  }

  /// Returns the code of a character: `U+200B`.
  package static func code(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Whether a character is a space or has no width: no-break and zero-width spaces, joiners, direction marks, the byte
  /// order mark.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x09, 0x85, 0xA0, 0xAD, 0x1680, 0x180E, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x3000,
      0xFEFF:
      true
    default: false
    }
  }
}
