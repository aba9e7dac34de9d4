/// A URL that may lead to a list of digests.
package struct DigestListPlace: Sendable, Equatable {
  /// The URL of the list.
  package var url: RequestURL
  /// Whether the list is named after the file, and is therefore only for that file.
  package var isOwn: Bool

  /// The suffixes of lists for one file.
  static let suffixes = ["sha256", "sha256sum", "sha512", "sha1", "md5"]
  /// The names of lists for all files of a directory.
  static let names = [
    "SHA256SUMS", "SHA256SUMS.txt", "sha256sum.txt", "SHA512SUMS", "CHECKSUM", "CHECKSUMS", "checksums.txt", "MD5SUMS",
  ]

  /// Returns the places beside the file at `url`, the likeliest first; none if the URL names no file. The places do not
  /// have the URL's query, which belongs to the file and may be a signature.
  package static func beside(_ url: RequestURL) -> [DigestListPlace] {
    guard url.scheme == "http" || url.scheme == "https", !url.path.hasSuffix("/"), url.path.contains("/") else {
      return []
    }
    func place(_ path: String, _ isOwn: Bool) -> DigestListPlace? {
      guard case .url(let other) = RequestURL.resolve(location: path, against: url) else { return nil }
      return DigestListPlace(url: other, isOwn: isOwn)
    }
    let directory = url.path.prefix(through: url.path.lastIndex(of: "/") ?? url.path.startIndex)
    return suffixes.compactMap { place("\(url.path).\($0)", true) } + names.compactMap { place(directory + $0, false) }
  }
}

/// The choice among the digests that the lists beside a file have for it, in the order of the search.
package enum ListedDigestRule {
  /// Whether a digest ends the search. A weaker one is used only if no other list has a better one.
  package static func endsSearch(_ found: DigestAlgorithm) -> Bool {
    found.byteCount >= DigestAlgorithm.sha256.byteCount
  }

  /// Whether a digest replaces the best one so far.
  package static func isBetter(_ found: DigestAlgorithm, than best: DigestAlgorithm?) -> Bool {
    best.map { found.rank < $0.rank } ?? true
  }
}
