/// An invalid text of a place or an object.
package struct ObjectPlaceError: Error, Sendable, Equatable {
  /// The reason, as a clause. Untrusted text is escaped.
  package var reason: String
  /// The advice.
  package var advice: Advice?

  init(_ reason: String, advice: Advice? = nil) { (self.reason, self.advice) = (reason, advice) }
}
