/// An invalid text of a place or an object.
public struct ObjectPlaceError: Error, Sendable, Equatable {
  /// The reason, as a clause. Untrusted text is escaped.
  public var reason: String
  /// The advice.
  public var advice: Advice?

  init(_ reason: String, advice: Advice? = nil) { (self.reason, self.advice) = (reason, advice) }
}
