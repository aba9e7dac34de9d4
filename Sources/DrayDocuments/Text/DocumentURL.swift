// Resolves URLs in documents.

package import DrayCore

package enum DocumentURL {
  /// The schemes of URLs that a document may contain. `file` is none of them: a document from the network must not
  /// reach local files.
  package static let schemes = Set(
    Scheme.all.filter { SchemePolicy.allows($0, from: .document) }.map(\.name))

  /// The maximum length of a document's base URL in bytes, because a hundred thousand relative URLs may each copy it
  /// (P13). A longer base URL is used without its query, which resolving does not need.
  static let longestBase = 2048

  /// `nil` if it is invalid or its scheme is not allowed.
  package static func resolve(_ text: String, against base: RequestURL?) -> RequestURL? {
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
