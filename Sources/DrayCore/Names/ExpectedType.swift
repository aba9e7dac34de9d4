/// The required type of a file (`--expect-type`): a media type, or all subtypes of a type: `application/zip`, `image/*`.
public struct ExpectedType: Sendable, Equatable, Codable, CustomStringConvertible {
  /// The type, lowercase.
  public let description: String

  /// Reads `type/subtype` or `type/*` (RFC 9110 §8.3.1); `nil` if invalid.
  public init?(_ text: String) {
    let parts = text.lowercased().split(separator: "/", omittingEmptySubsequences: false)
    guard MediaType.isValid(text), !text.contains(";"), parts.count == 2, !parts[0].contains("*"),
      parts[1] == "*" || !parts[1].contains("*")
    else { return nil }
    description = parts.joined(separator: "/")
  }

  /// Whether it stands for all subtypes, like `image/*`.
  var isWide: Bool { description.hasSuffix("/*") }

  func matches(_ essence: String) -> Bool {
    isWide ? essence.hasPrefix(description.dropLast()) : essence == description
  }

  /// The kinds of content with this type; empty if none of them has a signature.
  var kinds: Set<ContentKind> { ContentKind.kinds(ofTypes: matches) }
}
