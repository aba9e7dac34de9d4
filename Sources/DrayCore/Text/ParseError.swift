// The common form of parsing errors: one line with the error and a valid form.

/// The error of parsing one value.
///
/// The message is safe to print: untrusted text is escaped (P8) and shortened, and secrets are left out.
public protocol ParseError: Error, Equatable, CustomStringConvertible {
  /// One line: the error, and a valid form.
  var message: String { get }
}

extension ParseError {
  /// The message.
  public var description: String { message }
}

/// Returns untrusted text for a message: quoted, escaped, at most 60 scalars long. The limit does not count characters,
/// because one character may have an unlimited number of marks.
func quoted(_ text: some StringProtocol) -> String {
  let scalars = text.unicodeScalars
  let start = TextSafety.escaped(text.start(60))
  return scalars.dropFirst(60).isEmpty ? "\"\(start)\"" : "\"\(start)…\""
}
