// What every error of parsing has in common: one line that says what is wrong and what would be valid.

/// An error of parsing one value.
///
/// Its message is safe to print: untrusted text in it is escaped (P8) and shortened, and it contains no secrets.
public protocol ParseError: Error, Equatable, CustomStringConvertible {
  /// One line: what is wrong, and what would be valid.
  var message: String { get }
}

extension ParseError {
  /// The message.
  public var description: String { message }
}

/// Untrusted text for use in a message: in quotes, escaped, at most 60 scalars of it (one character can have
/// unlimited marks).
func quoted(_ text: some StringProtocol) -> String {
  let scalars = text.unicodeScalars
  let start = TextSafety.escaped(text.start(60))
  return scalars.dropFirst(60).isEmpty ? "\"\(start)\"" : "\"\(start)…\""
}
