// A terminal for tests: it follows the few codes that the painter uses, so that tests look at the screen, not at codes.

@testable import TerminalUI

/// A grid of cells with scroll-back, automatic wrapping and, on request, the reflow of modern terminals.
struct Screen {
  private struct Row {
    var cells: [Character] = []
    /// Whether the next row continues this one.
    var wraps = false
  }

  private(set) var columns: Int
  private var height: Int
  private var rows = [Row()]
  private var top = 0
  private var row = 0
  private var column = 0
  private var wrapPending = false
  private var wrapsAutomatically = true
  private(set) var showsCursor = true
  private(set) var isInFrame = false
  /// The parameters of every OSC 9;4 in order.
  private(set) var progress: [String] = []
  /// Codes that this terminal does not know; a test expects none.
  private(set) var unknown: [String] = []

  init(columns: Int, height: Int) {
    self.columns = columns
    self.height = height
  }

  /// Everything on the screen and above it, without spaces at line ends and without empty lines at the end.
  var lines: [String] {
    var texts = rows.map { row in
      var cells = row.cells[...]
      while cells.last == " " { cells.removeLast() }
      // A wide character takes two cells; the second is NUL here.
      return String(cells.filter { $0 != "\0" })
    }
    while texts.last == "" { texts.removeLast() }
    return texts
  }

  /// The row of the cursor, counted from the first line ever written.
  var cursorRow: Int { row }

  mutating func feed(_ text: String) {
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "\u{1B}": escape(&rest)
      case "\r\n":
        column = 0
        lineFeed()
      case "\n": lineFeed()
      case "\r": (column, wrapPending) = (0, false)
      default: put(character)
      }
    }
  }

  /// Changes the width as a terminal that reflows does: long lines are rewrapped, wrapped ones joined.
  mutating func resize(columns newColumns: Int) {
    var reflowed: [Row] = []
    var logical: [Character] = []
    var newRow = 0
    var newColumn = 0
    var start = 0
    for (index, current) in rows.enumerated() {
      if index == row { (newRow, newColumn) = (reflowed.count, logical.count + column) }
      logical += current.cells
      if current.wraps { continue }
      while logical.last == " " { logical.removeLast() }
      start = 0
      repeat {
        let end = min(logical.count, start + newColumns)
        reflowed.append(Row(cells: Array(logical[start..<end]), wraps: end < logical.count))
        start = end
      } while start < logical.count
      logical = []
    }
    (rows, columns) = (reflowed, newColumns)
    (row, column) = (newRow + newColumn / newColumns, newColumn % newColumns)
    while rows.count <= row { rows.append(Row()) }
    top = max(0, rows.count - height)
    wrapPending = false
  }

  private mutating func put(_ character: Character) {
    let width = DisplayWidth.of(character)
    if wrapPending || (wrapsAutomatically && column + width > columns) {
      rows[row].wraps = true
      column = 0
      lineFeed()
    }
    if column + width > columns { column = max(0, columns - width) }
    while rows[row].cells.count < column + width { rows[row].cells.append(" ") }
    rows[row].cells[column] = character
    if width == 2 { rows[row].cells[column + 1] = "\0" }
    column += width
    if column >= columns {
      column = columns - 1
      wrapPending = wrapsAutomatically
    }
  }

  private mutating func lineFeed() {
    wrapPending = false
    row += 1
    if row == rows.count { rows.append(Row()) }
    if row >= top + height { top += 1 }
  }

  private mutating func clearLineEnd() {
    rows[row].cells.removeSubrange(min(column, rows[row].cells.count)...)
    rows[row].wraps = false
  }

  private mutating func escape(_ rest: inout Substring) {
    let kind = rest.popFirst()
    if kind == "]" {
      var body = ""
      while let next = rest.popFirst(), next != "\u{1B}" { body.append(next) }
      _ = rest.popFirst()
      if body.hasPrefix("9;4;") { progress.append(String(body.dropFirst(4))) }
      return
    }
    var parameters = ""
    while let next = rest.first, next.isNumber || "?;".contains(next) {
      parameters.append(next)
      rest.removeFirst()
    }
    let final = rest.popFirst().map(String.init) ?? ""
    let count = Int(parameters) ?? 1
    switch parameters + final {
    case "?25l": showsCursor = false
    case "?25h": showsCursor = true
    case "?7l": wrapsAutomatically = false
    case "?7h": wrapsAutomatically = true
    case "?2026h": isInFrame = true
    case "?2026l": isInFrame = false
    case _ where final == "A": row = max(top, row - count)
    case _ where final == "B": row = min(top + height - 1, rows.count - 1, row + count)
    case "K": clearLineEnd()
    case "J":
      clearLineEnd()
      rows.removeSubrange((row + 1)...)
    case _ where final == "m": break
    default: unknown.append(parameters + final)
    }
    if "ABKJ".contains(final) { wrapPending = false }
  }
}
