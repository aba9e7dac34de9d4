// From the frame that is on the screen to the next one: which codes to send. Pure, so that tests can replay it.

/// What is known of the screen: the frame's lines, top to bottom, and the window they were painted for.
///
/// The cursor rests at the start of the row below the frame, so that an echoed `^C` or a shell's prompt after a
/// kill never lands in a bar.
struct FrameScript {
  private(set) var lines: [StyledLine] = []
  private(set) var columns = 0
  private let reflows: Bool

  init(reflows: Bool) {
    self.reflows = reflows
  }

  /// Codes that turn the screen into `next`, rewriting only lines that changed; empty if none did.
  mutating func advance(to next: [StyledLine], columns newColumns: Int) -> String {
    defer { (lines, columns) = (next, newColumns) }
    guard columns == newColumns || lines.isEmpty else {
      return up(rowsTaken(at: newColumns)) + Code.clearBelow + unwrapped(next.map { row($0, newColumns) })
    }
    let kept = zip(lines, next).prefix { $0 == $1 }.count
    if kept == lines.count, kept == next.count { return "" }
    var script = up(lines.count - kept)
    var unchanged = 0
    var rows: [String] = []
    for (index, line) in next.enumerated().dropFirst(kept) {
      if index < lines.count, lines[index] == line {
        unchanged += 1
      } else {
        rows.append(down(unchanged) + row(line, newColumns))
        unchanged = 0
      }
    }
    rows.append(down(unchanged))
    script += unwrapped(rows)
    return next.count < lines.count ? script + Code.clearBelow : script
  }

  /// Codes that put `messages` where the frame was, each once, and the frame again below them. `newColumns` is
  /// the width of the window now; that of the last frame if nil.
  mutating func insert(_ messages: [String], columns newColumns: Int? = nil) -> String {
    let newColumns = newColumns ?? columns
    let script = erase(columns: newColumns) + messages.map { $0 + Code.newLine }.joined()
    columns = newColumns
    return script + (lines.isEmpty ? "" : unwrapped(lines.map { row($0, newColumns) }))
  }

  /// Codes that remove the frame from the screen.
  func erase(columns newColumns: Int? = nil) -> String {
    lines.isEmpty ? "" : up(rowsTaken(at: newColumns ?? columns)) + Code.clearBelow
  }

  /// Leaves the frame: it stays on the screen unchanged, and the next one starts below it.
  mutating func forget() {
    lines = []
  }

  /// Rows that the lines take in a window of another width: a terminal that reflows has wrapped the longer ones.
  private func rowsTaken(at newColumns: Int) -> Int {
    guard reflows, newColumns > 0, newColumns != columns else { return lines.count }
    // A line never took more cells than the window it was painted for had.
    return lines.reduce(0) { $0 + max(1, (min($1.width, columns) + newColumns - 1) / newColumns) }
  }

  /// A line and the end of its row. A line that fills its row has nothing after it to clear, and clearing there
  /// would erase its last cell.
  private func row(_ line: StyledLine, _ columns: Int) -> String {
    line.text + (line.width < columns ? Code.clearLineEnd : "") + Code.newLine
  }

  /// Rows painted with automatic wrapping off: if terminal and width table disagree on a character, a line loses
  /// its end and the frame keeps its height.
  private func unwrapped(_ rows: [String]) -> String {
    let text = rows.joined()
    return text.isEmpty ? "" : Code.wrapOff + text + Code.wrapOn
  }

  /// To the start of a row above: what was typed meanwhile has moved the cursor.
  private func up(_ rows: Int) -> String { rows > 0 ? "\r\u{1B}[\(rows)A" : "" }
  private func down(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)B" : "" }
}

/// The control codes of the live display.
enum Code {
  static let newLine = "\r\n"
  static let clearLineEnd = "\u{1B}[K"
  /// Clears the row and all below it. The plain `ESC [ J` at the top of the window makes tmux push the whole screen
  /// into its history first, so it is given one row further down.
  static let clearBelow = "\u{1B}[K\r\n\u{1B}[J\u{1B}[A"
  static let wrapOff = "\u{1B}[?7l"
  static let wrapOn = "\u{1B}[?7h"
  static let hideCursor = "\u{1B}[?25l"
  static let showCursor = "\u{1B}[?25h"
  /// Synchronized output: terminals that have it show the frame at once, the others ignore an unknown private mode.
  static let beginFrame = "\u{1B}[?2026h"
  static let endFrame = "\u{1B}[?2026l"
}
