/// A header field with name and value as received.
public struct HeaderField: Sendable, Equatable, Codable {
  /// The name in the sender's spelling.
  public var name: String
  /// The value without surrounding white space.
  public var value: String
  /// Whether a request field with an empty value is sent with that value. If not, an empty value means that the field
  /// is not sent at all.
  public var isSentEmpty: Bool?

  /// Creates a field.
  public init(_ name: String, _ value: String, isSentEmpty: Bool? = nil) {
    self.name = name
    self.value = value
    self.isSentEmpty = isSentEmpty
  }

  /// Whether the field has this name, ignoring case.
  func isNamed(_ other: String) -> Bool {
    let (mine, theirs) = (name.utf8, other.utf8)
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).allSatisfy { $0 == $1 || $0.lowercased == $1.lowercased }
  }
}
