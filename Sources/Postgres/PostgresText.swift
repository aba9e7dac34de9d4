// Texts of libpq and for SQL: messages, identifiers, literals.

enum PostgresText {
  /// Lines that say nothing about this error: libpq's guesses, and places in the server's source.
  private static let noise = [
    "LOCATION:", "Is the server running", "This probably means", "before or while processing", "invalid socket",
  ]

  static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map(trimmed)
      .filter { line in !line.isEmpty && !noise.contains(where: line.hasPrefix) }.joined(separator: "; ")
  }

  /// Separates the SQLSTATE from a verbose message of a failed connection: `FATAL:  28P01: no such user`. Of several
  /// hosts' messages the last one counts.
  static func withoutState(_ text: String) -> (state: String?, message: String) {
    var state: String?
    let lines = text.split(whereSeparator: \.isNewline).map { line -> String in
      guard let found = codeRange(line) else { return String(line) }
      state = String(line[found].prefix(5))
      return String(line[..<found.lowerBound]) + String(line[found.upperBound...])
    }
    return (state, lines.joined(separator: "\n"))
  }

  /// Returns the range of `28P01: ` behind two blanks.
  private static func codeRange(_ line: Substring) -> Range<String.Index>? {
    var rest = line.startIndex
    while let colon = line[rest...].firstIndex(of: ":") {
      let after = line[line.index(after: colon)...]
      rest = after.startIndex
      guard after.hasPrefix("  ") else { continue }
      let code = after.dropFirst(2)
      guard code.prefix(5).count == 5, code.prefix(5).allSatisfy(isOfState), code.dropFirst(5).hasPrefix(": ") else {
        continue
      }
      return code.startIndex..<code.index(code.startIndex, offsetBy: 7)
    }
    return nil
  }

  private static func isOfState(_ character: Character) -> Bool {
    character.isASCII && (character.isNumber || character.isUppercase)
  }

  /// Returns libpq's message about a connection string without quoted texts, because they may contain a password. The
  /// name of an unknown option is kept.
  static func withoutQuotes(_ message: String) -> String {
    let isName = ["invalid connection option", "invalid URI query parameter"].contains(where: message.hasPrefix)
    guard !isName, let first = message.firstIndex(of: "\""), let last = message.lastIndex(of: "\"") else {
      return line(message)
    }
    return line(message[..<first] + "\"…\"" + message[last...].dropFirst())
  }

  static func identifier(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// For `standard_conforming_strings`, the default.
  static func literal(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
