// Tables: aligned columns, fitted to the window. Where the output goes to a file or a pipe texts are whole, within bounds.

/// A table that is written row by row: 100,000 rows take no more memory than a sample of them.
public struct TextTable: Sendable {
  /// What is known of a column before any row is.
  public struct Column: Sendable {
    /// The heading.
    public var title: String
    /// Whether texts stand at the right edge, as numbers do.
    public var isRightAligned: Bool
    /// Cells that the column takes at least, whatever the rows hold.
    public var minimum: Int
    /// Where a text is cut that does not fit; a column without it keeps its width as long as possible.
    public var cut: Cut?
    /// Whether the column is left out where the window is too narrow. The rightmost goes first.
    public var isOptional: Bool

    /// A column; left-aligned, not cut and always there unless said otherwise.
    public init(
      _ title: String, isRightAligned: Bool = false, minimum: Int = 1, cut: Cut? = nil,
      isOptional: Bool = false
    ) {
      self.title = title
      self.isRightAligned = isRightAligned
      self.minimum = minimum
      self.cut = cut
      self.isOptional = isOptional
    }
  }

  /// The part of a text that gives way.
  public enum Cut: Sendable {
    case middle, end
  }

  /// A text in a row. A literal is a cell without style.
  public struct Cell: Sendable, ExpressibleByStringInterpolation {
    /// The text; control characters in it are dropped.
    public var text: String
    /// How it is set apart, where the profile has colour.
    public var style: TextStyle?
    /// Where it links to, where the profile has links.
    public var link: String?

    /// A cell with the given text.
    public init(_ text: String, style: TextStyle? = nil, link: String? = nil) {
      self.text = ControlText.printable(text)
      self.style = style
      self.link = link
    }

    /// A cell without style.
    public init(stringLiteral value: String) {
      self.init(value)
    }
  }

  /// Cells that a column takes at most where there is no window. What is wider juts out: padding all rows to one long text
  /// would make a file of spaces.
  static let widest = 100
  /// Cells that a text takes at most where there is no window: longer ones are cut, like those that do not fit into one.
  public static let longest = 4096

  let columns: [Column]
  let width: Int?
  let profile: TerminalProfile

  /// A table of `columns` for a window of `width` columns; with nil every text is written whole, up to ``longest``.
  public init(_ columns: [Column], width: Int?, profile: TerminalProfile) {
    self.columns = columns
    self.width = width
    self.profile = profile
  }

  /// Writes heading and rows to `sink`, in chunks of whole lines of about 64 KiB.
  ///
  /// The first `sample` rows decide the widths. A later text that is wider is cut in a window and juts out elsewhere:
  /// give the columns a fitting `minimum` where the sample may miss the widest.
  public func write(
    _ rows: some Sequence<[Cell]>, sample: Int = 1000, to sink: (String) throws -> Void
  ) rethrows {
    var iterator = rows.makeIterator()
    var head: [[Cell]] = []
    while head.count < sample, let row = iterator.next() { head.append(row) }
    let layout = TableLayout(self, sample: head)

    var chunk = ""
    layout.appendHeading(to: &chunk)
    for row in head { layout.append(row, to: &chunk) }
    head = []
    while let row = iterator.next() {
      layout.append(row, to: &chunk)
      if chunk.utf8.count > 64 << 10 {
        try sink(chunk)
        chunk.removeAll(keepingCapacity: true)
      }
    }
    try sink(chunk)
  }
}
