// Fits texts to a number of cells: cuts in the middle or at the end, and pads.

/// Fits plain text without escape sequences to a number of cells. No result is wider than the limit.
public enum TextFit {
  /// A text with its width in cells, so that it is not measured twice.
  typealias Fitted = (text: String, width: Int)

  /// Returns `text` unchanged if it fits, otherwise its head and tail with an ellipsis between them.
  ///
  /// The tail is at least as long as the head. It includes the file extension if there is room: `ubuntu-24…amd64.iso`.
  public static func truncatedMiddle(_ text: String, width: Int, ellipsis: String = "…") -> String {
    middle(text, width: width, ellipsis: ellipsis).text
  }

  /// Returns `text` unchanged if it fits, otherwise its head and an ellipsis.
  public static func truncatedEnd(_ text: String, width: Int, ellipsis: String = "…") -> String {
    end(text, width: width, ellipsis: ellipsis).text
  }

  /// Returns the longest tail of `text` that fits in `width` cells.
  public static func tail(_ text: String, width: Int) -> String { suffix(text, width: width).text }

  /// Returns `text` in pieces of at most `width` cells, split between words if those are short. Pieces after the first
  /// are indented, by at most a third of the width.
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

  /// Returns `text` in lines of at most `width` cells, broken only at blanks. A word that is longer, such as a URL, stays
  /// whole, so that it can be copied from the terminal, which wraps it. Lines after the first are indented.
  public static func broken(_ text: String, width: Int, indent: Int) -> [String] {
    guard width > 2 * indent, DisplayWidth.of(text) > width else { return [text] }
    var lines: [String] = []
    var (line, used, isFirst) = ("", 0, true)
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let cells = DisplayWidth.of(String(word))
      if used > indent, used + 1 + cells > width {
        lines.append(line)
        (line, used) = (spaces(indent) + word, indent + cells)
      } else {
        line += (isFirst ? "" : " ") + word
        used += cells + (isFirst ? 0 : 1)
      }
      isFirst = false
      // The terminal continues a long word on further lines.
      if used > width { used %= width }
    }
    return lines + [line]
  }

  /// Returns `text` followed by spaces up to `width` cells. Longer text is unchanged.
  public static func paddedRight(_ text: String, width: Int) -> String {
    text + spaces(width - DisplayWidth.of(text))
  }

  /// Returns `text` after spaces up to `width` cells. Longer text is unchanged.
  public static func paddedLeft(_ text: String, width: Int) -> String {
    spaces(width - DisplayWidth.of(text)) + text
  }

  /// Returns `count` spaces; none if `count` is negative.
  static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  /// Returns `truncatedMiddle` with the width of the result.
  static func middle(_ text: String, width: Int, ellipsis: String) -> Fitted {
    let whole = DisplayWidth.of(text)
    if whole <= width { return (text, whole) }
    let mark = DisplayWidth.of(ellipsis)
    let room = width - mark
    // Two cells or fewer have no room for head and tail.
    guard room >= 2 else { return end(text, width: width, ellipsis: ellipsis) }
    let tailRoom = max(room - room / 2, min(extensionWidth(text), room - 1))
    let head = prefix(text, width: room - tailRoom)
    let tail = suffix(text, width: tailRoom)
    return (head.text + ellipsis + tail.text, head.width + mark + tail.width)
  }

  /// Returns `truncatedEnd` with the width of the result.
  static func end(_ text: String, width: Int, ellipsis: String) -> Fitted {
    let whole = DisplayWidth.of(text)
    if whole <= width { return (text, whole) }
    let mark = DisplayWidth.of(ellipsis)
    guard mark <= width else { return prefix(text, width: width) }
    let head = prefix(text, width: width - mark)
    return (head.text + ellipsis, head.width + mark)
  }

  /// Returns the longest head of `text` that fits in `width` cells.
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

  /// Returns the longest tail of `text` that fits in `width` cells.
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

  /// Returns the width of the extension with its dot; 0 if the last dot is too far from the end.
  private static func extensionWidth(_ text: String) -> Int {
    guard let dot = text.utf8.suffix(9).lastIndex(of: UInt8(ascii: ".")) else { return 0 }
    return DisplayWidth.of(String(text[dot...]))
  }
}
