// Arranges a help text in lines: paragraphs, and terms with their meanings beside them.

internal import TerminalUI

struct HelpLayout {
  var width = 80
  /// The column in which the meaning of a term begins.
  var column = 26

  /// The layout for standard output: as wide as the terminal, but at most 80 columns.
  static var standard: HelpLayout {
    HelpLayout(width: TerminalDevice.isTTY(1) ? min(80, max(40, TerminalDevice.size(1).columns)) : 80)
  }

  /// Returns the lines of a text, each indented by `indent` spaces. A line break stays where it is if the next line is
  /// indented, as in an example.
  func wrapped(_ text: String, indent: Int = 0) -> [String] {
    var lines: [String] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if let last = lines.last, DisplayWidth.of(last) + 1 + DisplayWidth.of(String(word)) <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(repeating: " ", count: indent) + word)
      }
    }
    return lines
  }

  /// The minimum number of columns for a meaning beside its term.
  private static let roomBeside = 24

  /// Returns a term with its meaning beside it. If the term is long, the meaning begins in the next line. On a narrow
  /// terminal, all of it is below the term.
  func entry(_ term: String, _ meaning: String, column: Int? = nil) -> [String] {
    let wanted = column ?? self.column
    let column = width - wanted < HelpLayout.roomBeside ? min(wanted, 6) : wanted
    let start = "  " + term
    let lines = wrapped(meaning, indent: column)
    guard let first = lines.first else { return [start] }
    guard DisplayWidth.of(start) + 2 <= column else { return [start] + lines }
    return [TextFit.paddedRight(start, width: column) + first.dropFirst(column)] + lines.dropFirst()
  }

  /// Returns blocks of lines in two columns of about the same height, without changing their order; in one column if a
  /// line is wider than half of the width.
  func beside(_ blocks: [[String]]) -> [String] {
    let room = width / 2
    guard blocks.joined().allSatisfy({ DisplayWidth.of($0) < room }) else { return Array(blocks.joined()) }
    let total = blocks.reduce(0) { $0 + $1.count }
    var (left, right): ([String], [String]) = ([], [])
    for block in blocks {
      if right.isEmpty, left.isEmpty || left.count + block.count / 2 <= total / 2 {
        left += block
      } else {
        right += block
      }
    }
    return (0..<max(left.count, right.count)).map { row in
      let cell = row < left.count ? left[row] : ""
      return row < right.count ? TextFit.paddedRight(cell, width: room) + right[row] : cell
    }
  }

  /// Returns short texts in two columns, which are read from top to bottom.
  func columns(_ cells: [String]) -> [String] {
    let half = (cells.count + 1) / 2
    let room = width / 2
    guard cells.allSatisfy({ DisplayWidth.of($0) < room }) else { return cells }
    return (0..<half).map { row in
      let right = row + half < cells.count ? cells[row + half] : ""
      return right.isEmpty ? cells[row] : TextFit.paddedRight(cells[row], width: room) + right
    }
  }
}
