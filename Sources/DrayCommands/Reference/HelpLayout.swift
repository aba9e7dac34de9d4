// Help as lines of a width: paragraphs, and terms with what they mean beside them.

internal import TerminalUI

/// Lays out help.
struct HelpLayout {
  /// How wide a line may be.
  var width = 80
  /// Where the meaning of a term begins.
  var column = 26

  /// For the terminal that standard output is on; for 80 columns where there is none, or a wider one.
  static var standard: HelpLayout {
    HelpLayout(width: TerminalDevice.isTTY(1) ? min(80, max(40, TerminalDevice.size(1).columns)) : 80)
  }

  /// The lines of a text, each after `indent` blanks. A line break in it stays where the next line is indented: an example.
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

  /// A term, and its meaning beside it, or below it where the term is long.
  func entry(_ term: String, _ meaning: String, column: Int? = nil) -> [String] {
    let column = column ?? self.column
    let start = "  " + term
    let lines = wrapped(meaning, indent: column)
    guard let first = lines.first else { return [start] }
    guard DisplayWidth.of(start) + 2 <= column else { return [start] + lines }
    return [TextFit.paddedRight(start, width: column) + first.dropFirst(column)] + lines.dropFirst()
  }

  /// Short entries in two columns, read from top to bottom.
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
