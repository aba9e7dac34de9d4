// Finds the lines of keys in a TOML document. TOMLKit reports lines only for errors.

/// The lines of keys and tables in a document that TOMLKit has accepted. Keys in an inline table have the table's line. The
/// elements of an array of tables are named by their indexes.
struct TOMLPlaces {
  /// The line numbers, from 1, by the path of the key: the names of its tables, then its own.
  private(set) var lines: [[String]: Int] = [:]

  /// The line of the key, otherwise of the table around it.
  func line(_ path: [String]) -> Int? {
    var path = path[...]
    while !path.isEmpty {
      if let line = lines[Array(path)] { return line }
      path.removeLast()
    }
    return nil
  }

  init(_ text: String) {
    var scanner = Scanner(bytes: Array(text.utf8))
    scanner.scan()
    lines = scanner.lines
  }

  private struct Scanner {
    let bytes: [UInt8]
    var at = 0
    var line = 1
    var table: [String] = []
    var lines: [[String]: Int] = [:]
    var elements: [[String]: Int] = [:]

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func isNext(_ text: StaticString) -> Bool {
      text.withUTF8Buffer { bytes[at...].starts(with: $0) }
    }

    private mutating func skip(_ count: Int = 1) {
      for byte in bytes[at..<min(at + count, bytes.count)] where byte == UInt8(ascii: "\n") { line += 1 }
      at = min(at + count, bytes.count)
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
      while let byte = next, condition(byte) { skip() }
    }

    mutating func scan() {
      if isNext("\u{FEFF}") { skip(3) }
      while let byte = next {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): skip()
        case UInt8(ascii: "#"): skip { $0 != UInt8(ascii: "\n") }
        case UInt8(ascii: "["):
          let isElement = isNext("[[")
          skip { $0 == UInt8(ascii: "[") }
          let start = line
          table = key(until: UInt8(ascii: "]"))
          note(table, start)
          if isElement {
            let index = elements[table, default: 0]
            elements[table] = index + 1
            table.append("\(index)")
            note(table, start)
          }
          skip { $0 == UInt8(ascii: "]") }
        default:
          let start = line
          note(table + key(until: UInt8(ascii: "=")), start)
          skip()
          value()
        }
      }
    }

    private mutating func note(_ path: [String], _ line: Int) {
      for count in 1...max(1, path.count) {
        let part = Array(path.prefix(count))
        lines[part] = count == path.count ? line : lines[part] ?? line
      }
    }

    /// Reads a dotted key up to `end`.
    private mutating func key(until end: UInt8) -> [String] {
      var parts: [String] = []
      while let byte = next, byte != end, byte != UInt8(ascii: "\n") {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): parts.append(string())
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "."), UInt8(ascii: "\r"): skip()
        default:
          let start = at
          skip { $0 != end && !".\n\r \t".utf8.contains($0) }
          parts.append(String(decoding: bytes[start..<at], as: UTF8.self))
        }
      }
      return parts
    }

    /// Skips a string of any of the four kinds, and returns the content without backslashes before escaped characters.
    private mutating func string() -> String {
      guard let quote = next else { return "" }
      let isLong = isNext("\"\"\"") || isNext("'''")
      let mark = [UInt8](repeating: quote, count: isLong ? 3 : 1)
      skip(mark.count)
      var content: [UInt8] = []
      while let byte = next, !bytes[at...].starts(with: mark) {
        if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { skip() }
        if let byte = next { content.append(byte) }
        skip()
      }
      skip(mark.count)
      // A long string may end with up to two more quotation marks, which belong to its content.
      if isLong { skip { $0 == quote } }
      return String(decoding: content, as: UTF8.self)
    }

    /// Skips a value up to the end of its last line.
    private mutating func value() {
      var depth = 0
      while let byte = next {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = string()
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          skip()
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          depth -= 1
          skip()
        case UInt8(ascii: "#"): skip { $0 != UInt8(ascii: "\n") }
        case UInt8(ascii: "\n") where depth <= 0: return
        default: skip()
        }
      }
    }
  }
}
