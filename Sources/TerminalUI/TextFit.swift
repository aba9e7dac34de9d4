// Texts made to fit a number of cells: cut in the middle, cut at the end, padded.

/// Fits plain text (without escape sequences) into cells. No result is wider than asked.
public enum TextFit {
  /// `text` whole where it fits, else its head and its tail with an ellipsis between them.
  ///
  /// The tail is at least as long as the head and holds the file extension where there is room for it:
  /// `ubuntu-24…amd64.iso`.
  public static func truncatedMiddle(_ text: String, width: Int, ellipsis: String = "…") -> String {
    if DisplayWidth.of(text) <= width { return text }
    let room = width - DisplayWidth.of(ellipsis)
    // With two cells or fewer there is no head and tail to speak of.
    guard room >= 2 else { return truncatedEnd(text, width: width, ellipsis: ellipsis) }
    let tail = max(room - room / 2, min(extensionWidth(text), room - 1))
    return prefix(text, width: room - tail) + ellipsis + suffix(text, width: tail)
  }

  /// `text` whole where it fits, else its head and an ellipsis.
  public static func truncatedEnd(_ text: String, width: Int, ellipsis: String = "…") -> String {
    if DisplayWidth.of(text) <= width { return text }
    let room = width - DisplayWidth.of(ellipsis)
    return room >= 0 ? prefix(text, width: room) + ellipsis : prefix(text, width: width)
  }

  /// `text` and spaces after it, up to `width` cells; longer text is returned as it is.
  public static func paddedRight(_ text: String, width: Int) -> String {
    text + spaces(width - DisplayWidth.of(text))
  }

  /// Spaces and `text` after them, up to `width` cells; longer text is returned as it is.
  public static func paddedLeft(_ text: String, width: Int) -> String {
    spaces(width - DisplayWidth.of(text)) + text
  }

  /// That many spaces; none for a negative count.
  static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  /// The longest head of `text` that takes at most `width` cells.
  static func prefix(_ text: String, width: Int) -> String {
    var room = width
    var end = text.startIndex
    while end < text.endIndex {
      room -= DisplayWidth.of(text[end])
      if room < 0 { break }
      end = text.index(after: end)
    }
    return String(text[..<end])
  }

  /// The longest tail of `text` that takes at most `width` cells.
  static func suffix(_ text: String, width: Int) -> String {
    var room = width
    var start = text.endIndex
    while start > text.startIndex {
      let before = text.index(before: start)
      room -= DisplayWidth.of(text[before])
      if room < 0 { break }
      start = before
    }
    return String(text[start...])
  }

  /// Cells of the extension with its dot; 0 where the last dot is too far from the end to be one.
  private static func extensionWidth(_ text: String) -> Int {
    let tail = text.suffix(9)
    guard let dot = tail.lastIndex(of: ".") else { return 0 }
    return DisplayWidth.of(tail[dot...])
  }
}
