// How many terminal cells a text takes. Everything that is aligned or cut is measured here.

/// Width of text in terminal cells, by grapheme cluster.
///
/// Wide and fullwidth characters (UAX #11) and emoji take two cells, combining marks and format
/// characters none, ambiguous ones one, as in terminals outside of East Asian locales. Control
/// characters take none; `ControlText` drops them before they are painted.
public enum DisplayWidth {
  /// Cells that `text` takes. The text must hold no escape sequences.
  public static func of(_ text: String) -> Int {
    if let ascii = asciiWidth(text) { return ascii }
    var width = 0
    for character in text { width += of(character) }
    return width
  }

  /// Cells that one grapheme cluster takes: 0, 1 or 2.
  ///
  /// A cluster never takes more than two: a family joined by zero-width joiners, a flag of two
  /// regional indicators and a hand with a skin tone are each drawn as one emoji.
  public static func of(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      // VS16 asks for the emoji form of a character that is narrow by itself.
      if scalar.value == 0xFE0F, width == 1 { return 2 }
      width += of(scalar)
      if width >= 2 { return 2 }
    }
    return width
  }

  /// Cells of one scalar standing alone.
  static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
    if WideRanges.contain(value) { return 2 }
    // Vowels and finals of Hangul complete the syllable that their initial began.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// The width if every byte is ASCII, found without searching for grapheme clusters.
  private static func asciiWidth(_ text: String) -> Int? {
    var width = 0
    for byte in text.utf8 {
      if byte >= 0x80 { return nil }
      if byte >= 0x20 && byte != 0x7F { width += 1 }
    }
    return width
  }
}
