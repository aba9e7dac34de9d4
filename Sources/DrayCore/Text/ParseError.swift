// What every error of parsing has in common: one line that says what was wrong and what would be right.

/// An error of parsing one value.
///
/// Its message is safe to print: text of others in it is escaped (P8) and shortened, and secrets are not in it.
public protocol ParseError: Error, Equatable, CustomStringConvertible {
  /// One line: what was wrong, and what would be right.
  var message: String { get }
}

extension ParseError {
  /// The message.
  public var description: String { message }
}

/// Text of others as it may stand in a message: in quotes, escaped, at most 60 scalars of it (one character can have
/// marks without end).
func quoted(_ text: some StringProtocol) -> String {
  let scalars = text.unicodeScalars
  let start = TextSafety.escaped(text.start(60))
  return scalars.dropFirst(60).isEmpty ? "\"\(start)\"" : "\"\(start)…\""
}
