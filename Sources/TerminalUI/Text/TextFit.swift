// Texts made to fit a number of cells: cut in the middle, cut at the end, padded.

/// Fits plain text (without escape sequences) into cells. No result is wider than the limit.
public enum TextFit {
  /// A text and its width in cells, so that it is not measured twice.
  typealias Fitted = (text: String, width: Int)

  /// `text` unchanged if it fits, else its head and its tail with an ellipsis between them.
  ///
  /// The tail is at least as long as the head and contains the file extension if there is room for it:
  /// `ubuntu-24…amd64.iso`.
  public static func truncatedMiddle(_ text: String, width: Int, ellipsis: String = "…") -> String {
    middle(text, width: width, ellipsis: ellipsis).text
  }

  /// `text` unchanged if it fits, else its head and an ellipsis.
  public static func truncatedEnd(_ text: String, width: Int, ellipsis: String = "…") -> String {
    end(text, width: width, ellipsis: ellipsis).text
  }

  /// The longest end of `text` that takes at most `width` cells.
  public static func tail(_ text: String, width: Int) -> String { suffix(text, width: width).text }

  /// `text` in pieces of at most `width` cells, between words where those are short; pieces after the first are indented, by a
  /// third of the width at most.
  public static func wrapped(_ text: String, width: Int, indent: Int) -> [String] {
    var lines: [String] = []
    var rest = text
    while DisplayWidth.of(rest) > max(2, width) {
      var head = prefix(rest, width: max(2, width)).text
      // A character that is wider than the window stays whole.
      guard !head.isEmpty else { break }
      if let space = head.lastIndex(of: " "), head.distance(from: space, to: head.endIndex) < head.count / 2 {
        head = String(head[...space])
      }
      lines.append(head)
      rest = spaces(min(indent, max(0, width) / 3)) + rest.dropFirst(head.count)
    }
    return lines + [rest]
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

  /// `truncatedMiddle` with the width of the result.
  static func middle(_ text: String, width: Int, ellipsis: String) -> Fitted {
    let whole = DisplayWidth.of(text)
    if whole <= width { return (text, whole) }
    let mark = DisplayWidth.of(ellipsis)
    let room = width - mark
    // With two cells or fewer there is no head and tail to speak of.
    guard room >= 2 else { return end(text, width: width, ellipsis: ellipsis) }
    let tailRoom = max(room - room / 2, min(extensionWidth(text), room - 1))
    let head = prefix(text, width: room - tailRoom)
    let tail = suffix(text, width: tailRoom)
    return (head.text + ellipsis + tail.text, head.width + mark + tail.width)
  }

  /// `truncatedEnd` with the width of the result.
  static func end(_ text: String, width: Int, ellipsis: String) -> Fitted {
    let whole = DisplayWidth.of(text)
    if whole <= width { return (text, whole) }
    let mark = DisplayWidth.of(ellipsis)
    guard mark <= width else { return prefix(text, width: width) }
    let head = prefix(text, width: width - mark)
    return (head.text + ellipsis, head.width + mark)
  }

  /// The longest head of `text` that takes at most `width` cells.
  static func prefix(_ text: String, width: Int) -> Fitted {
    if ControlText.isPlainASCII(text) {
      let head = text.utf8.prefix(max(0, width))
      return (String(Substring(head)), head.count)
    }
    var taken = 0
    var end = text.startIndex
    while end < text.endIndex {
      let next = DisplayWidth.of(text[end])
      if taken + next > width { break }
      taken += next
      end = text.index(after: end)
    }
    return (String(text[..<end]), taken)
  }

  /// The longest tail of `text` that takes at most `width` cells.
  static func suffix(_ text: String, width: Int) -> Fitted {
    if ControlText.isPlainASCII(text) {
      let tail = text.utf8.suffix(max(0, width))
      return (String(Substring(tail)), tail.count)
    }
    var taken = 0
    var start = text.endIndex
    while start > text.startIndex {
      let before = text.index(before: start)
      let next = DisplayWidth.of(text[before])
      if taken + next > width { break }
      taken += next
      start = before
    }
    return (String(text[start...]), taken)
  }

  /// Cells of the extension with its dot; 0 if the last dot is too far from the end to be one.
  private static func extensionWidth(_ text: String) -> Int {
    guard let dot = text.utf8.suffix(9).lastIndex(of: UInt8(ascii: ".")) else { return 0 }
    return DisplayWidth.of(String(text[dot...]))
  }
}
