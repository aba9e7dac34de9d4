// Converts plain text to the format mdoc(7).

internal import DrayKit

enum Mdoc {
  /// Returns a section whose text is in the notation of ``body(_:)``.
  static func section(_ title: String, _ body: String) -> String { ".Sh \(title)\n" + self.body(body) }

  /// Converts the text of a section. Blank lines separate paragraphs. Lines that are indented by two spaces stay as
  /// they are. A line `= TERM` begins an entry of a list; the list ends at the next paragraph that is not an entry.
  static func body(_ text: String) -> String {
    var result = ""
    var inList = false
    var isFirst = true
    for paragraph in paragraphs(text) {
      if paragraph.first?.hasPrefix("= ") == true {
        if !inList { result += ".Bl -tag -width Ds\n" }
        inList = true
        isFirst = false
        result += ".It " + span(String((paragraph.first ?? "").dropFirst(2))) + "\n"
        result += prose(paragraph.dropFirst().joined(separator: " "))
        continue
      }
      if inList { result += ".El\n" }
      if !isFirst { result += ".Pp\n" }
      inList = false
      isFirst = false
      if paragraph.allSatisfy({ $0.hasPrefix("  ") }) {
        if result.hasSuffix(".Pp\n") { result.removeLast(4) }
        result += literal(paragraph.map { String($0.dropFirst(2)) })
      } else {
        result += prose(paragraph.joined(separator: " "))
      }
    }
    return result + (inList ? ".El\n" : "")
  }

  private static func paragraphs(_ text: String) -> [[String]] {
    var all: [[String]] = []
    var current: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      // The line before examples, and the examples below it, are two separate paragraphs.
      let changes = current.first.map { $0.hasPrefix("  ") != line.hasPrefix("  ") && !$0.hasPrefix("= ") } ?? false
      if line.isEmpty || changes {
        if !current.isEmpty { all.append(current) }
        current = []
      }
      if !line.isEmpty { current.append(line) }
    }
    return current.isEmpty ? all : all + [current]
  }

  /// Converts running text. Each sentence begins on a new line, as mdoc requires, and no line has more than 80 bytes.
  /// Text between backquotes is highlighted.
  static func prose(_ text: String) -> String {
    var result = ""
    for sentence in sentences(text) {
      var line = ""
      for word in span(sentence).split(separator: " ") {
        if line.utf8.count + 1 + word.utf8.count > 78 {
          result += line + "\n"
          line = ""
        }
        line += line.isEmpty ? protected(String(word)) : " \(word)"
      }
      result += line + "\n"
    }
    return result
  }

  /// Converts one line, in which text between backquotes is highlighted.
  private static func span(_ text: String) -> String {
    var result = ""
    var isCode = false
    for part in text.split(separator: "`", omittingEmptySubsequences: false) {
      result += isCode ? "\\fB\(escape(String(part)))\\fR" : references(escape(String(part)))
      isCode.toggle()
    }
    return protected(result)
  }

  /// Highlights the names of dray's own pages, such as `dray-get(1)`.
  private static func references(_ text: String) -> String {
    guard text.contains("dray") else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
      let start = word.prefix { $0 == "(" }
      let name = word.dropFirst(start.count).prefix { $0.isLetter || $0 == "-" || $0 == "\\" }
      let rest = word.dropFirst(start.count + name.count)
      let isPage = name.hasPrefix("dray") && ["(1)", "(5)", "(7)"].contains { rest.hasPrefix($0) }
      return isPage ? "\(start)\\fB\(name)\\fR\(rest)" : String(word)
    }.joined(separator: " ")
  }

  private static func sentences(_ text: String) -> [String] {
    var all: [String] = []
    var current = ""
    for word in text.split(separator: " ") {
      current += current.isEmpty ? String(word) : " \(word)"
      if word.hasSuffix(".") || word.hasSuffix("?") {
        all.append(current)
        current = ""
      }
    }
    return current.isEmpty ? all : all + [current]
  }

  static func literal(_ lines: [String]) -> String {
    ".Bd -literal -offset indent\n" + lines.map { protected(escape($0)) + "\n" }.joined() + ".Ed\n"
  }

  /// Returns words in a form for the line of a macro.
  static func line(_ text: String) -> String { escape(text) }

  /// Changes a line that roff would otherwise take for a request.
  private static func protected(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// Escapes all characters that have a special meaning in roff.
  static func escape(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "`": result += "\\(ga"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "…": result += "..."
      case "→": result += "\\(->"
      default: result.append(character)
      }
    }
    return result
  }
}
