// A line of a frame with its width, which is measured while the line is built.

/// A text for the terminal, with its width in cells.
///
/// A line is built only from pieces without control characters, so a frame of such lines has no foreign escape
/// sequences (P8).
public struct StyledLine: Sendable, Hashable {
  public private(set) var text = ""
  /// The width of the text in cells.
  public private(set) var width = 0

  public init() {}

  public init(_ text: String) {
    append(text)
  }

  /// Appends plain text, with a style and a link if `profile` allows them.
  public mutating func append(
    _ piece: String, _ style: TextStyle? = nil, link: String? = nil, profile: TerminalProfile = .init()
  ) {
    let clean = ControlText.printable(piece)
    append(clean, width: DisplayWidth.of(clean), style, link: link, profile: profile)
  }

  /// Appends spaces until the line is `column` cells wide, unless it already is.
  public mutating func pad(to column: Int) {
    guard column > width else { return }
    text += TextFit.spaces(column - width)
    width = column
  }

  /// Highlights the line up to `column` by exchanging foreground and background, if there are styles.
  public mutating func highlight(to column: Int, profile: TerminalProfile) {
    pad(to: column)
    text = Style(profile).apply(.inverse, text)
  }

  public mutating func append(_ other: StyledLine) {
    text += other.text
    width += other.width
  }

  /// Appends clean text of known width: blocks and digits, which need not be measured ten times a second.
  mutating func append(
    _ clean: String, width: Int, _ style: TextStyle?, link: String? = nil, profile: TerminalProfile
  ) {
    let styles = Style(profile)
    let linked = link.map { styles.hyperlink(clean, $0) } ?? clean
    text += style.map { styles.apply($0, linked) } ?? linked
    self.width += width
  }
}
