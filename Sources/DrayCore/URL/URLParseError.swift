/// The reason why a text is not a URL that can be fetched.
public struct URLParseError: ParseError, Sendable {
  /// The reason as one line. The reason does not quote the text, which may contain a password.
  public let message: String

  init(_ message: String) { self.message = message }
}
