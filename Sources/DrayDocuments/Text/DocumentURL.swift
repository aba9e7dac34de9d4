// URLs in documents.

public import DrayCore

/// URLs in documents: absolute or relative to the document.
public enum DocumentURL {
  /// The schemes that a document may send a job to. A document from the network must not reach local files.
  public static let schemes = Set(
    Scheme.all.filter { SchemePolicy.allows($0, from: .document) }.map(\.name))

  /// The longest base URL of a document, in bytes: there may be a hundred thousand relative ones, and
  /// each gets a copy of it (P13). The query of a longer one is dropped, because none of them needs it.
  static let longestBase = 2048

  /// Reads a URL of a document; `nil` if invalid, or of a scheme that is not allowed.
  public static func resolve(_ text: String, against base: RequestURL?) -> RequestURL? {
    let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    let reference = String(trimmed)
    guard !reference.isEmpty else { return nil }
    if let url = try? RequestURL.parse(reference).url { return schemes.contains(url.scheme) ? url : nil }
    guard let base = base.map({ $0.string.utf8.count > longestBase ? $0.withoutQuery : $0 }),
      base.string.utf8.count <= longestBase,
      case .url(let url) = RequestURL.resolve(location: reference, against: base),
      schemes.contains(url.scheme)
    else { return nil }
    return url
  }
}
