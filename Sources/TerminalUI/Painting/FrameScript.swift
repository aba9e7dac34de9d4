// The control codes from the frame on the screen to the next one. It has no effects, so tests can replay it.

/// The lines on the screen, top to bottom, and the window width that they were painted for.
///
/// The cursor rests at the start of the row below the frame, so that an echoed `^C` or a shell's prompt after a kill
/// never lands in a bar.
struct FrameScript {
  private(set) var lines: [StyledLine] = []
  private(set) var columns = 0
  private let reflows: Bool

  init(reflows: Bool) {
    self.reflows = reflows
  }

  /// Returns codes that turn the screen into `next` and rewrite only changed lines; empty if none changed.
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

  /// Returns codes that put `messages` in the place of the frame, and the frame below them. `newColumns` is the present
  /// width of the window, by default that of the last frame.
  mutating func insert(_ messages: [String], columns newColumns: Int? = nil) -> String {
    let newColumns = newColumns ?? columns
    let script = erase(columns: newColumns) + messages.map { $0 + Code.newLine }.joined()
    columns = newColumns
    return script + (lines.isEmpty ? "" : unwrapped(lines.map { row($0, newColumns) }))
  }

  /// Returns codes that remove the frame from the screen.
  func erase(columns newColumns: Int? = nil) -> String {
    lines.isEmpty ? "" : up(rowsTaken(at: newColumns ?? columns)) + Code.clearBelow
  }

  /// Leaves the frame on the screen. The next one starts below it.
  mutating func forget() {
    lines = []
  }

  /// Returns the number of rows that the lines take in a window of another width. A terminal that reflows has wrapped
  /// the longer lines.
  private func rowsTaken(at newColumns: Int) -> Int {
    guard reflows, newColumns > 0, newColumns != columns else { return lines.count }
    // No line took more cells than the window that it was painted for.
    return lines.reduce(0) { $0 + max(1, (min($1.width, columns) + newColumns - 1) / newColumns) }
  }

  /// Returns a line with the end of its row. After a line that fills its row there is nothing to clear, and clearing
  /// would erase its last cell.
  private func row(_ line: StyledLine, _ columns: Int) -> String {
    line.text + (line.width < columns ? Code.clearLineEnd : "") + Code.newLine
  }

  /// Returns rows painted without automatic wrapping. If terminal and width table disagree on a character, a line loses
  /// its end and the frame keeps its height.
  private func unwrapped(_ rows: [String]) -> String {
    let text = rows.joined()
    return text.isEmpty ? "" : Code.wrapOff + text + Code.wrapOn
  }

  /// Returns codes to the start of a row above. Typed characters may have moved the cursor.
  private func up(_ rows: Int) -> String { rows > 0 ? "\r\u{1B}[\(rows)A" : "" }
  private func down(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)B" : "" }
}
