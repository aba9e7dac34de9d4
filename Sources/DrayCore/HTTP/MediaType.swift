/// A media type from `Content-Type` (RFC 9110 §8.3.1).
public struct MediaType: Sendable, Equatable {
  /// The type and subtype in lowercase: `text/html`; may be empty.
  public var essence: String
  /// The `charset` parameter as written, without quotes.
  public var charset: String?

  /// Reads a field value.
  public init(_ value: String) {
    let parts = value.split(separator: ";", omittingEmptySubsequences: false)
    essence = parts.first.map { $0.trimmingSpaces().lowercased() } ?? ""
    charset =
      parts.dropFirst().lazy.compactMap { part -> String? in
        guard let equals = part.firstIndex(of: "="), part[..<equals].trimmingSpaces().lowercased() == "charset" else {
          return nil
        }
        let text = part[part.index(after: equals)...].trimmingSpaces()
        let bare = text.first == "\"" && text.last == "\"" && text.count > 1 ? text.dropFirst().dropLast() : text
        return bare.isEmpty ? nil : String(bare)
      }.first
  }

  /// Whether the file is an HTML page.
  public var isHTML: Bool { essence == "text/html" || essence == "application/xhtml+xml" }
}

extension ResponseHead {
  /// The media type, if the answer has one.
  public var mediaType: MediaType? {
    first("content-type").map(MediaType.init).flatMap { $0.essence.isEmpty ? nil : $0 }
  }
}
