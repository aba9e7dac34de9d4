/// The reason why a text is not a size, a duration, or a similar quantity.
public struct QuantityParseError: ParseError, Sendable {
  /// One line: the error, and a valid form.
  public let message: String
  init(_ message: String) { self.message = message }
}
