// Where lists of digests are found next to a file on its server.

/// A place where a list of digests may be.
public struct DigestListPlace: Sendable, Equatable {
  /// Its URL.
  public var url: RequestURL
  /// Whether it is named after the file, so that it is about that one only.
  public var isOwn: Bool

  /// The suffixes of the name of a file's own list.
  static let suffixes = ["sha256", "sha256sum", "sha512", "sha1", "md5"]
  /// The names of lists for all files of a directory.
  static let names = [
    "SHA256SUMS", "SHA256SUMS.txt", "sha256sum.txt", "SHA512SUMS", "CHECKSUM", "CHECKSUMS", "checksums.txt", "MD5SUMS",
  ]

  /// The places next to the file of `url`, the likeliest first; none for a URL that names no file. What is after a `?` is
  /// of that file alone: it may be a signature.
  public static func beside(_ url: RequestURL) -> [DigestListPlace] {
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
