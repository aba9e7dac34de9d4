// Splits a command line of curl that was copied for another shell ("Copy as cURL") into words. The shell may be sh, the
// cmd of Windows, or PowerShell. The code in this file has no effects outside its values.

internal import DrayKit

struct CopiedLine {
  /// The shell whose rules for quoting a line follows.
  enum Shell: Equatable {
    case posix, cmd, powerShell
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var words: [String] = []
  private var word: String?

  private init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  /// Splits the line if the command line has one of three forms: `dray curl -`, which reads a line from standard input;
  /// a line in a single argument; a line for cmd whose carets a POSIX shell has left in place. Any other command line
  /// stays as it is.
  /// - Parameter input: Reads standard input.
  /// - Throws: Kind `usage` for a line that is not complete.
  static func expanded(_ typed: [String], input: () throws(Failure) -> [UInt8]) throws(Failure) -> [String] {
    guard typed.first == "curl" else { return typed }
    let rest = typed.dropFirst()
    if rest.count == 1, rest.first == "-" {
      guard let text = OutsideText.text(try input()) else {
        throw OptionValue.bad("curl -", "the line is not UTF-8")
      }
      return ["curl"] + (try words(of: text))
    }
    if rest.count == 1, let line = rest.first, line.hasPrefix("curl "), line.contains("://") {
      return ["curl"] + (try words(of: line))
    }
    guard rest.contains(where: { $0.hasPrefix("^http") }) else { return typed }
    return ["curl"] + rest.map { String(scalars: withoutCarets(Array($0.unicodeScalars))) }.filter { !$0.isEmpty }
  }

  /// Returns the words of a line without the name of the program.
  /// - Throws: Kind `usage` if a quotation mark is not closed.
  static func words(of text: String) throws(Failure) -> [String] {
    let scalars = text.unicodeScalars.filter { $0 != "\r" }
    var line = CopiedLine(Array(scalars))
    let words: [String]
    switch shell(of: text) {
    case .cmd: words = arguments(withoutCarets(Array(scalars)))
    case .posix: words = try line.posix()
    case .powerShell: words = try line.powerShell()
    }
    return Array(["curl", "curl.exe"].contains(words.first) ? words.dropFirst() : words[...])
  }

  /// Guesses the shell from the character that joins lines and that escapes quotation marks.
  static func shell(of text: String) -> Shell {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces() }
    if text.contains("^\"") || lines.contains(where: { $0.hasSuffix("^") }) { return .cmd }
    return lines.contains { $0.hasSuffix("`") } ? .powerShell : .posix
  }

  // MARK: Windows' cmd

  /// Removes the carets of cmd. Outside quotation marks, a caret takes the special meaning away from the next
  /// character. At the end of a line, a caret joins the line with the next one; without a caret, the end of the line
  /// ends the command.
  private static func withoutCarets(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var (result, isQuoted, rest) = ([Unicode.Scalar](), false, scalars[...])
    while let scalar = rest.popFirst() {
      switch scalar {
      case "^" where !isQuoted:
        if rest.first == "\n" { rest.removeFirst() }
        if let literal = rest.popFirst() { result.append(literal) }
      case "\n":
        return result
      default:
        if scalar == "\"" { isQuoted.toggle() }
        result.append(scalar)
      }
    }
    return result
  }

  /// Splits a command line as programs on Windows do: backslashes are special only before a quotation mark.
  private static func arguments(_ scalars: [Unicode.Scalar]) -> [String] {
    var line = CopiedLine(scalars)
    var (isQuoted, slashes) = (false, 0)
    while let scalar = line.next() {
      if scalar == "\\" {
        slashes += 1
        continue
      }
      line.append(backslashes: scalar == "\"" ? slashes / 2 : slashes)
      defer { slashes = 0 }
      if scalar == "\"" {
        if slashes % 2 == 1 {
          line.append("\"")
        } else if isQuoted, line.peek == "\"" {
          line.append("\"")
          line.index += 1
        } else {
          line.word = line.word ?? ""
          isQuoted.toggle()
        }
      } else if !isQuoted, CopiedLine.isBlank(scalar) {
        line.finishWord()
      } else {
        line.append(scalar)
      }
    }
    line.append(backslashes: slashes)
    line.finishWord()
    return line.words
  }

  // MARK: A POSIX shell

  private mutating func posix() throws(Failure) -> [String] {
    while let scalar = next() {
      switch scalar {
      case "\\":
        if let literal = next(), literal != "\n" { append(literal) }
      case "'":
        try quoted(until: "'") { _, _ in }
      case "\"":
        try quoted(until: "\"") { line, scalar in
          guard scalar == "\\", let next = line.peek, "\"\\$`\n".unicodeScalars.contains(next) else { return }
          line.index += 1
          line.word?.unicodeScalars.removeLast()
          if next != "\n" { line.append(next) }
        }
      case "$" where peek == "'":
        index += 1
        try quoted(until: "'") { line, scalar in
          guard scalar == "\\" else { return }
          line.word?.unicodeScalars.removeLast()
          let literal = line.escape()
          line.append(literal)
        }
      case _ where CopiedLine.isBlank(scalar): finishWord()
      default: append(scalar)
      }
    }
    finishWord()
    return words
  }

  /// Reads what follows a backslash in `$'…'`.
  private mutating func escape() -> Unicode.Scalar {
    guard let letter = next() else { return "\\" }
    guard let digits = CopiedLine.digits[letter] else { return CopiedLine.escapes[letter] ?? letter }
    let value = number(digits)
    // Browsers write a character beyond the first 65,536 as two escapes of UTF-16.
    guard (0xD800..<0xDC00).contains(value), scalars[index...].starts(with: ["\\", "u"]) else {
      return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
    index += 2
    let low = number(4)
    guard (0xDC00..<0xE000).contains(low) else { return "\u{FFFD}" }
    return Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
  }

  /// Reads a hexadecimal number of at most this many digits.
  private mutating func number(_ digits: Int) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = peek.flatMap({ Character($0).hexDigitValue }) else { break }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }

  // MARK: PowerShell

  private mutating func powerShell() throws(Failure) -> [String] {
    while let scalar = next() {
      switch scalar {
      case "`":
        if let literal = next(), literal != "\n" { append(literal) }
      case "'", "\"":
        try powerShell(quotedBy: scalar)
      case _ where CopiedLine.isBlank(scalar): finishWord()
      default: append(scalar)
      }
    }
    finishWord()
    return words
  }

  /// Reads a text between quotation marks. A quotation mark that is written twice stands for itself.
  private mutating func powerShell(quotedBy mark: Unicode.Scalar) throws(Failure) {
    while true {
      try quoted(until: mark) { line, scalar in
        guard scalar == "`", mark == "\"", let letter = line.next() else { return }
        line.word?.unicodeScalars.removeLast()
        line.append(CopiedLine.escapes[letter] ?? letter)
      }
      guard peek == mark else { return }
      append(mark)
      index += 1
    }
  }

  // MARK: Characters

  /// The characters that some letters stand for after a backslash in `$'…'`, and after the backquote of PowerShell.
  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "n": "\n", "t": "\t", "r": "\r", "a": "\u{7}", "b": "\u{8}", "f": "\u{C}", "v": "\u{B}",
  ]
  /// The maximum number of hexadecimal digits that follow some letters.
  private static let digits: [Unicode.Scalar: Int] = ["x": 2, "u": 4, "U": 8]

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\n" }

  private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek else { return nil }
    index += 1
    return scalar
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    word = word ?? ""
    word?.unicodeScalars.append(scalar)
  }

  private mutating func append(backslashes count: Int) {
    for _ in 0..<count { append("\\") }
  }

  private mutating func finishWord() {
    if let word { words.append(word) }
    word = nil
  }

  /// Appends the characters before the closing quotation mark, and calls `escaped` after each of them.
  private mutating func quoted(
    until end: Unicode.Scalar, _ escaped: (inout CopiedLine, Unicode.Scalar) -> Void
  ) throws(Failure) {
    word = word ?? ""
    while let scalar = next() {
      guard scalar != end else { return }
      append(scalar)
      escaped(&self, scalar)
    }
    throw OptionValue.bad("curl", "a quotation mark of the line is not closed", advice: "paste all of it")
  }
}

extension String {
  fileprivate init(scalars: [Unicode.Scalar]) {
    self.init()
    unicodeScalars.append(contentsOf: scalars)
  }
}
