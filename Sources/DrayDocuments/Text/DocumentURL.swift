// URLs in documents.

public import DrayCore

/// URLs in documents: whole or relative to the document.
public enum DocumentURL {
  /// The schemes that a document may send a job to. A document from the network must not reach local files.
  public static let schemes = Set(
    Scheme.all.filter { SchemePolicy.allows($0, from: .document) }.map(\.name))

  /// The longest URL, in bytes, that others in a document start from: there may be a hundred thousand of those, and
  /// each gets a copy of it (P13). Of a longer one the query is left out, which none of them needs.
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
