// The width of a text in terminal cells, for aligning and cutting.

/// The width of text in terminal cells, by grapheme cluster.
///
/// Wide and fullwidth characters (UAX #11) and emoji take two cells, combining marks and format characters none, and
/// ambiguous ones one, as in terminals outside East Asian locales. Control characters take none; `ControlText` drops
/// them before they are painted.
public enum DisplayWidth {
  /// Returns the width of `text`, which must have no escape sequences.
  public static func of(_ text: String) -> Int {
    if let ascii = asciiWidth(text) { return ascii }
    var width = 0
    for character in text { width += of(character) }
    return width
  }

  /// Returns the width of a grapheme cluster: 0, 1 or 2.
  ///
  /// A cluster never takes more than two cells: a family joined by zero-width joiners, a flag of two regional
  /// indicators and a hand with a skin tone are each drawn as one emoji.
  public static func of(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      // VS16 selects the emoji form of a narrow character.
      if scalar.value == 0xFE0F, width == 1 { return 2 }
      width += of(scalar)
      if width >= 2 { return 2 }
    }
    return width
  }

  static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
    if WideRanges.contain(value) { return 2 }
    // Hangul vowels and finals complete the syllable that their initial began.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// Returns the width of an ASCII text without searching for grapheme clusters; `nil` if the text is not ASCII.
  private static func asciiWidth(_ text: String) -> Int? {
    var width = 0
    for byte in text.utf8 {
      if byte >= 0x80 { return nil }
      if byte >= 0x20 && byte != 0x7F { width += 1 }
    }
    return width
  }
}
