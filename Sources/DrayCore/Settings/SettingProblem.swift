/// The reason why a text is not a valid value of a setting. The reason quotes the text only if the text cannot be a
/// secret.
package struct SettingProblem: Error, Sendable, Equatable {
  /// The problem, as a clause without a full stop.
  package var reason: String
  /// The advice.
  package var advice: Advice?

  /// Creates a problem.
  package init(_ reason: String, advice: Advice? = nil) { (self.reason, self.advice) = (reason, advice) }

  /// Returns the beginning of an untrusted text, in quotes.
  package static func quote(_ text: String) -> String {
    "\"\(TextSafety.escaped(text.start(80)))\(text.unicodeScalars.count > 80 ? "…" : "")\""
  }
}
