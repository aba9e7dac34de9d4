/// An error status, or a class of error statuses, that the user counts as temporary (`--retry-status`): `403`, `5xx`.
public struct StatusPattern: Sendable, Equatable, Codable, CustomStringConvertible {
  /// The pattern, lowercase.
  public let description: String

  /// Reads `400` to `599`, `4xx` or `5xx`; `nil` for any other text.
  public init?(_ text: String) {
    let text = text.lowercased()
    let isStatus = text.utf8.count == 3 && Int(text).map { (400...599).contains($0) } ?? false
    guard isStatus || text == "4xx" || text == "5xx" else { return nil }
    description = text
  }

  /// Whether a status matches.
  package func matches(_ status: Int) -> Bool { description == "\(status)" || description == "\(status / 100)xx" }
}
