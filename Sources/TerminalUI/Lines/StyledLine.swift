// A line of a frame together with its width, so that a line is measured once, while it is made.

/// Text ready for the terminal and the cells it takes.
///
/// It can only be built from pieces without control characters, so a frame made of such lines cannot
/// carry a foreign escape sequence (P8).
public struct StyledLine: Sendable, Hashable {
  /// The text with its styles.
  public private(set) var text = ""
  /// Cells that the text takes.
  public private(set) var width = 0

  /// An empty line.
  public init() {}

  /// A line of plain text.
  public init(_ text: String) {
    append(text)
  }

  /// Adds plain text, in a style and as a link where `profile` allows them.
  public mutating func append(
    _ piece: String, _ style: TextStyle? = nil, link: String? = nil, profile: TerminalProfile = .init()
  ) {
    let clean = ControlText.printable(piece)
    append(clean, width: DisplayWidth.of(clean), style, link: link, profile: profile)
  }

  /// Adds spaces until the line is `column` cells wide; nothing if it already is.
  public mutating func pad(to column: Int) {
    guard column > width else { return }
    text += TextFit.spaces(column - width)
    width = column
  }

  /// Makes the line stand out, up to `column`: foreground and background are exchanged, where there are styles.
  public mutating func highlight(to column: Int, profile: TerminalProfile) {
    pad(to: column)
    text = Style(profile).apply(.inverse, text)
  }

  /// Adds another line.
  public mutating func append(_ other: StyledLine) {
    text += other.text
    width += other.width
  }

  /// Adds clean text of known width: blocks and digits, which need no measuring ten times a second.
  mutating func append(
    _ clean: String, width: Int, _ style: TextStyle?, link: String? = nil, profile: TerminalProfile
  ) {
    let styles = Style(profile)
    let linked = link.map { styles.hyperlink(clean, $0) } ?? clean
    text += style.map { styles.apply($0, linked) } ?? linked
    self.width += width
  }
}
