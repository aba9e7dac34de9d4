/// The reason why a text is not a size or a span of time.
public struct QuantityParseError: ParseError, Sendable {
  /// One line: the error, and a valid form.
  public let message: String
  init(_ message: String) { self.message = message }
}
