// The whole window as one frame: only the rows that changed are written, each at its place, all in one write.

/// What a full-screen program shows at one moment.
public struct ScreenFrame: Sendable, Hashable {
  /// The rows from the top; those that are missing are empty.
  public var lines: [StyledLine]
  /// Where the cursor is seen, counted from 0; `nil` hides it.
  public var cursor: Cell?

  /// A place in the window.
  public struct Cell: Sendable, Hashable {
    /// The row, from 0.
    public var row: Int
    /// The column, from 0.
    public var column: Int
    /// A place.
    public init(row: Int, column: Int) { (self.row, self.column) = (row, column) }
  }

  /// A frame.
  public init(lines: [StyledLine], cursor: Cell? = nil) { (self.lines, self.cursor) = (lines, cursor) }
}

/// Paints frames on the alternate screen. Not for use from two threads at once.
public struct ScreenPainter {
  private var writer: DescriptorWriter
  private var script = ScreenScript()

  /// A painter on `descriptor`, which stays its owner's.
  public init(descriptor: Int32) { writer = DescriptorWriter(descriptor: descriptor) }

  /// Paints a frame over the one before, in a window of this size. It is left out while the terminal has not accepted the
  /// one before.
  public mutating func paint(_ frame: ScreenFrame, columns: Int, rows: Int) {
    writer.flush(patience: 0)
    guard !writer.isBehind else { return }
    let text = script.advance(to: frame, columns: columns, rows: rows)
    if !text.isEmpty { writer.write(text) }
  }

  /// The next frame is painted as a whole: others have written to the screen.
  public mutating func forget() { script = ScreenScript() }
}

/// From the frame that is on the screen to the next: which codes to send. Pure.
struct ScreenScript {
  private var shown: ScreenFrame?
  private var columns = 0
  private var rows = 0

  /// Codes that turn the screen into `next`; empty if it shows that already.
  mutating func advance(to next: ScreenFrame, columns newColumns: Int, rows newRows: Int) -> String {
    let isNew = shown == nil || (columns, rows) != (newColumns, newRows)
    defer { (shown, columns, rows) = (next, newColumns, newRows) }
    let before = isNew ? [] : shown?.lines ?? []
    var body = isNew ? "\u{1B}[2J" : ""
    for row in 0..<newRows {
      let line = row < next.lines.count ? next.lines[row] : StyledLine()
      if isNew ? line.width == 0 : line == (row < before.count ? before[row] : StyledLine()) { continue }
      body += "\u{1B}[\(row + 1);1H\(line.text)"
      if line.width < newColumns { body += Code.clearLineEnd }
    }
    let hadCursor = isNew ? nil : shown?.cursor
    if body.isEmpty, next.cursor == hadCursor { return "" }
    let cursor =
      next.cursor.map { "\u{1B}[\($0.row + 1);\($0.column + 1)H\(hadCursor == nil ? Code.showCursor : "")" }
      ?? (hadCursor == nil ? "" : Code.hideCursor)
    return Code.beginFrame + (body.isEmpty ? "" : Code.wrapOff + body + Code.wrapOn) + cursor + Code.endFrame
  }
}
