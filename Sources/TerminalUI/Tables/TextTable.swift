// Tables with aligned columns, fitted to the window. Output to a file or a pipe is not cut, within limits.

/// A table that is written row by row. It needs only the memory of a sample, even for 100,000 rows.
public struct TextTable: Sendable {
  /// The definition of a column, before any row is known.
  public struct Column: Sendable {
    public var title: String
    /// Whether texts are right-aligned, as numbers are.
    public var isRightAligned: Bool
    /// The minimum width of the column in cells.
    public var minimum: Int
    /// The place where a text that does not fit is cut. A column without it keeps its width as long as possible.
    public var cut: Cut?
    /// Whether the column is dropped if the window is too narrow. The rightmost is dropped first.
    public var isOptional: Bool

    /// Creates a column; by default left-aligned, not cut and always shown.
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

  public enum Cut: Sendable {
    case middle, end
  }

  /// A text in a row. A literal is a cell without style.
  public struct Cell: Sendable, ExpressibleByStringInterpolation {
    /// The text; control characters in it are dropped.
    public var text: String
    /// The style, if the profile has colour.
    public var style: TextStyle?
    /// The target of the link, if the profile has links.
    public var link: String?

    public init(_ text: String, style: TextStyle? = nil, link: String? = nil) {
      self.text = ControlText.printable(text)
      self.style = style
      self.link = link
    }

    public init(stringLiteral value: String) {
      self.init(value)
    }
  }

  /// The maximum width of a column in cells without a window. Wider text overflows, because padding all rows to one
  /// long text would make a file of spaces.
  static let widest = 100
  /// The maximum width of a text in cells without a window. Longer text is cut.
  public static let longest = 4096

  let columns: [Column]
  let width: Int?
  let profile: TerminalProfile

  /// Creates a table for a window of `width` columns. If `width` is `nil`, each text is written whole, up to
  /// ``longest``.
  public init(_ columns: [Column], width: Int?, profile: TerminalProfile) {
    self.columns = columns
    self.width = width
    self.profile = profile
  }

  /// Writes heading and rows to `sink`, in chunks of whole lines of about 64 KiB.
  ///
  /// The first `sample` rows determine the widths. A wider text in a later row is cut in a window and overflows
  /// elsewhere. If the sample may miss the widest text, give its column a `minimum`.
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
