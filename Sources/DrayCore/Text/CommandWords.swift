// Splits a command into words, quoted as in a POSIX shell, without any other shell syntax.

/// The reason why a text is not a command.
package struct CommandWordsError: ParseError, Sendable {
  /// One line: the error, and a valid form.
  package let message: String
  /// Whether the text needs a shell.
  package let needsShell: Bool

  init(_ message: String, needsShell: Bool = false) { (self.message, self.needsShell) = (message, needsShell) }
}

/// Splits a command into a program and its arguments without a shell.
///
/// Quoting follows POSIX.1-2024 §2.2: `\` quotes the next character, `'…'` quotes all, `"…"` quotes all except `\`
/// before `"`, `\`, `$` and a backquote. Nothing is expanded, except `~/` at the start of a word. Other characters that
/// a shell would interpret outside quotes are refused, because users would expect the shell's effect.
package enum CommandWords {
  /// Returns a text that ``split(_:home:)`` splits into these words.
  @Sendable package static func joined(_ words: [String]) -> String {
    words.map { word in
      let isPlain =
        !word.isEmpty && word.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_./:=@%+,-".utf8.contains($0) }
      return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }.joined(separator: " ")
  }

  /// Returns the words of a command; at least one.
  /// - Parameter home: The replacement for `~`; `nil` leaves `~` unchanged.
  /// - Throws: ``CommandWordsError``.
  package static func split(_ text: String, home: String? = nil) throws(CommandWordsError) -> [String] {
    var splitter = Splitter(home: home)
    // Iterate over scalars, as a shell does: a quotation mark followed by a combining mark still quotes.
    for scalar in text.unicodeScalars { try splitter.take(scalar) }
    let words = try splitter.end()
    guard let program = words.first else { throw CommandWordsError("it is empty: name a program") }
    guard !program.isEmpty else { throw CommandWordsError("the name of the program is empty") }
    return words
  }

  private struct Splitter {
    enum State { case plain, single, double, escaped, escapedInDouble }

    var home: String?
    var state = State.plain
    var words: [String] = []
    /// The word that is being read; `nil` between words.
    var word: String?
    /// Whether the word so far is an unquoted `~`.
    var isTilde = false

    mutating func take(_ character: Unicode.Scalar) throws(CommandWordsError) {
      guard character != "\0" else { throw CommandWordsError("it contains a NUL byte: remove it") }
      switch state {
      case .plain: try plain(character)
      case .single: character == "'" ? state = .plain : append(character)
      case .double:
        switch character {
        case "\"": state = .plain
        case "\\": state = .escapedInDouble
        default: append(character)
        }
      case .escaped:
        if character != "\n" { append(character) }
        state = .plain
      case .escapedInDouble:
        if !"\"\\$`\n".unicodeScalars.contains(character) { append("\\") }
        if character != "\n" { append(character) }
        state = .double
      }
    }

    private mutating func plain(_ character: Unicode.Scalar) throws(CommandWordsError) {
      switch character {
      case " ", "\t", "\n", "\r": finishWord()
      case "'", "\"":
        word = word ?? ""
        isTilde = false
        state = character == "'" ? .single : .double
      case "\\":
        word = word ?? ""
        isTilde = false
        state = .escaped
      case "|", "&", ";", "<", ">", "(", ")", "$", "`":
        throw CommandWordsError("without a shell, \(character) has no effect: quote it", needsShell: true)
      case "#" where word == nil:
        throw CommandWordsError("without a shell, # does not begin a comment: quote it")
      case "~" where word == nil:
        append(character)
        isTilde = true
      default:
        if isTilde, character == "/", let home { word = home }
        append(character)
      }
    }

    private mutating func append(_ character: Unicode.Scalar) {
      if word == nil { word = "" }
      word?.unicodeScalars.append(character)
      isTilde = false
    }

    private mutating func finishWord() {
      if isTilde, let home { word = home }
      if let word { words.append(word) }
      (word, isTilde) = (nil, false)
    }

    mutating func end() throws(CommandWordsError) -> [String] {
      switch state {
      case .plain: break
      case .single, .double, .escapedInDouble:
        throw CommandWordsError("a quotation mark is not closed: close it, or write \\ before it")
      case .escaped:
        throw CommandWordsError("it ends in \\: remove that")
      }
      finishWord()
      return words
    }
  }
}
