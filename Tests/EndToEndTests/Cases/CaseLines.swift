// The line of each value in a case file. TOMLKit reports lines only for errors.

/// The lines of tables, keys and array elements that start a line, by their paths.
struct CaseLines {
  private var lines: [[String]: Int] = [:]

  /// The line of the value at `path`, or of its container.
  func line(_ path: [String]) -> Int {
    var path = path[...]
    while !path.isEmpty {
      if let line = lines[Array(path)] { return line }
      path.removeLast()
    }
    return 1
  }

  /// Scans a well-formed document.
  init(_ text: String) {
    var table: [String] = []
    var tables: [[String]: Int] = [:]
    var key: [String] = []
    var element = 0
    var depth = 0
    var longString: Substring?
    for (index, whole) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = whole.drop { $0 == " " || $0 == "\t" }
      if longString == nil, !line.isEmpty, line.first != "#" {
        if depth == 1, line.first != "]" {
          lines[key + ["\(element)"]] = index + 1
          element += 1
        } else if depth == 0, line.first == "[" {
          table = Self.names(line.drop { $0 == "[" }, end: "]")
          if line.hasPrefix("[[") {
            let count = tables[table, default: 0]
            tables[table] = count + 1
            table.append("\(count)")
          }
          lines[table] = index + 1
          continue
        } else if depth == 0 {
          key = table + Self.names(line, end: "=")
          for count in table.count + 1...max(key.count, table.count + 1) where count <= key.count {
            let path = Array(key.prefix(count))
            lines[path] = lines[path] ?? index + 1
          }
          element = 0
        }
      }
      Self.follow(line, &depth, &longString)
    }
  }

  /// Counts brackets outside strings and comments, and tracks strings of several lines.
  private static func follow(_ line: Substring, _ depth: inout Int, _ longString: inout Substring?) {
    var rest = line
    while let character = rest.first {
      if let mark = longString {
        if rest.hasPrefix(mark) {
          longString = nil
          rest = rest.dropFirst(mark.count)
        } else {
          rest = rest.dropFirst(character == "\\" ? 2 : 1)
        }
      } else if rest.hasPrefix("\"\"\"") || rest.hasPrefix("'''") {
        longString = rest.prefix(3)
        rest = rest.dropFirst(3)
      } else if character == "\"" || character == "'" {
        rest = string(rest).rest
      } else if character == "#" {
        return
      } else {
        if character == "[" || character == "{" { depth += 1 }
        if character == "]" || character == "}" { depth -= 1 }
        rest = rest.dropFirst()
      }
    }
  }

  /// The content of the string at the beginning of `text`, and the rest of `text`.
  private static func string(_ text: Substring) -> (content: String, rest: Substring) {
    let quote = text.first
    var content = ""
    var rest = text.dropFirst()
    while let character = rest.first, character != quote {
      if character == "\\", quote == "\"" { rest = rest.dropFirst() }
      if let next = rest.first { content.append(next) }
      rest = rest.dropFirst()
    }
    return (content, rest.dropFirst())
  }

  /// The parts of a dotted key, up to `end`.
  private static func names(_ text: Substring, end: Character) -> [String] {
    var names: [String] = []
    var name = ""
    var rest = text
    while let character = rest.first, character != end {
      if character == "\"" || character == "'" {
        let quoted = string(rest)
        name += quoted.content
        rest = quoted.rest
        continue
      }
      if character == "." {
        names.append(name)
        name = ""
      } else if character != " " {
        name.append(character)
      }
      rest = rest.dropFirst()
    }
    return names + [name]
  }
}
