// A terminal with the functions that the bars need: the screen's content after all bytes.

/// The cells of a screen, the cursor, and saved content.
struct Screen {
  private(set) var isCursorHidden = false
  /// Whether a full-screen program uses the alternate screen.
  var isAlternate: Bool { main != nil }
  /// Other active modes: bracketed paste, the mouse.
  private(set) var modes: Set<String> = []
  /// The content before the alternate screen.
  private var main: (cells: [[Character]], row: Int, column: Int)?
  private var cells: [[Character]] = [[]]
  private var row = 0
  private var column = 0
  private var width: Int

  init(width: Int) { self.width = width }

  /// The lines from the first ever written, without blanks at their ends.
  var lines: [String] {
    cells.map { line in
      let text = String(line)
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// All lines.
  var text: String { lines.joined(separator: "\n") }

  mutating func resize(width: Int) { self.width = width }

  /// Interprets a program's output.
  mutating func feed(_ text: String) {
    var rest = Substring(text)
    while let character = rest.popFirst() {
      switch character {
      case "\u{1B}": escape(&rest)
      case "\r\n":
        column = 0
        down(1)
      case "\r": column = 0
      case "\n": down(1)
      case "\u{8}": column = max(0, column - 1)
      case "\u{7}": break
      default: put(character)
      }
    }
  }

  private mutating func put(_ character: Character) {
    if column >= width {
      column = 0
      down(1)
    }
    while cells[row].count <= column { cells[row].append(" ") }
    cells[row][column] = character
    column += 1
  }

  private mutating func down(_ count: Int) {
    row += count
    while cells.count <= row { cells.append([]) }
  }

  private mutating func escape(_ rest: inout Substring) {
    switch rest.popFirst() {
    case "[":
      let parameters = rest.prefix { !$0.isLetter && $0 != "@" }
      rest = rest[parameters.endIndex...]
      if let final = rest.popFirst() { control(String(parameters), final) }
    case "]":
      // An operating system command ends with BEL or ESC backslash.
      while let character = rest.popFirst(), character != "\u{7}" {
        if character == "\u{1B}" {
          _ = rest.popFirst()
          break
        }
      }
    default: break
    }
  }

  private mutating func control(_ parameters: String, _ final: Character) {
    let number = Int(parameters.prefix { $0.isNumber })
    switch final {
    case "A": row = max(0, row - (number ?? 1))
    case "B", "E": down(number ?? 1)
    case "C": column += number ?? 1
    case "D": column = max(0, column - (number ?? 1))
    case "F":
      row = max(0, row - (number ?? 1))
      column = 0
    case "G": column = max(0, (number ?? 1) - 1)
    case "K": eraseLine(number ?? 0)
    case "J" where parameters == "2": cells = Array(repeating: [], count: row + 1)
    case "J":
      eraseLine(0)
      cells.removeSubrange((row + 1)...)
    case "H":
      let place = parameters.split(separator: ";").compactMap { Int($0) }
      row = 0
      down((place.first ?? 1) - 1)
      column = (place.count > 1 ? place[1] : 1) - 1
    case "h" where parameters == "?25": isCursorHidden = false
    case "l" where parameters == "?25": isCursorHidden = true
    case "h" where parameters == "?1049" && main == nil:
      main = (cells, row, column)
      (cells, row, column) = ([[]], 0, 0)
    case "l" where parameters == "?1049":
      if let main { (cells, row, column) = main }
      main = nil
    case "h" where ["?2004", "?1000", "?1006"].contains(parameters): modes.insert(parameters)
    case "l" where ["?2004", "?1000", "?1006"].contains(parameters): modes.remove(parameters)
    default: break
    }
    if final == "E" { column = 0 }
  }

  private mutating func eraseLine(_ part: Int) {
    switch part {
    case 0: cells[row] = Array(cells[row].prefix(column))
    case 1: for cell in 0..<min(column + 1, cells[row].count) { cells[row][cell] = " " }
    default: cells[row] = []
    }
  }
}
