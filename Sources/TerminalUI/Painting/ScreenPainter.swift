// The whole window as a frame. Only changed rows are written, all in one write.

/// The contents of the window at one moment.
public struct ScreenFrame: Sendable, Hashable {
  /// The rows from the top. Missing ones are empty.
  public var lines: [StyledLine]
  /// The place of the cursor; `nil` hides it.
  public var cursor: Cell?

  /// A place in the window, counted from 0.
  public struct Cell: Sendable, Hashable {
    public var row: Int
    public var column: Int
    public init(row: Int, column: Int) { (self.row, self.column) = (row, column) }
  }

  public init(lines: [StyledLine], cursor: Cell? = nil) { (self.lines, self.cursor) = (lines, cursor) }
}

/// Paints frames on the alternate screen. Its owner must serialize the calls.
public struct ScreenPainter {
  private let writer: SteadyOutput
  private var script = ScreenScript()

  /// Creates a painter on `descriptor`, which the caller continues to own.
  public init(descriptor: Int32) { writer = .to(descriptor) }

  /// Paints a frame over the last one, in a window of this size. The frame is skipped if the terminal has not accepted
  /// the last one.
  public mutating func paint(_ frame: ScreenFrame, columns: Int, rows: Int) {
    writer.drain(patience: 0)
    guard !writer.isBehind else { return }
    let text = script.advance(to: frame, columns: columns, rows: rows)
    if !text.isEmpty { writer.write(text.utf8) }
  }

  /// Makes the next frame repaint all rows, because another program has written to the screen.
  public mutating func forget() { script = ScreenScript() }
}

/// The control codes from the frame on the screen to the next one.
struct ScreenScript {
  private var shown: ScreenFrame?
  private var columns = 0
  private var rows = 0

  /// Returns codes that turn the screen into `next`; empty if nothing changed.
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
