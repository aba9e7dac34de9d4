// A hub's facts about a file that it redirects to a content network.

/// The identity of a file in the fields `X-Linked-Etag` and `X-Linked-Size` of an answer that redirects. The entity
/// tags of the servers behind the redirect say nothing: each of them makes its own.
package struct LinkedFile: Sendable, Equatable {
  /// The digest in `X-Linked-Etag`: the SHA-256 of a file in LFS, git's digest of any other. `nil` for other forms.
  package var digest: DigestValue?
  /// In bytes.
  package var size: Int64?

  /// Creates the identity from its parts.
  package init(digest: DigestValue?, size: Int64?) { (self.digest, self.size) = (digest, size) }

  /// Reads the identity from the answers that led to a file, in their order; the first one that names it counts.
  /// - Returns: `nil` if none of them has such a field.
  package init?(_ heads: [ResponseHead]) {
    let named = heads.first { $0.first(LinkedFile.tagField) != nil || $0.first(LinkedFile.sizeField) != nil }
    guard let head = named else { return nil }
    digest = head.first(LinkedFile.tagField).flatMap(LinkedFile.digest)
    size = head.first(LinkedFile.sizeField).flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  static let tagField = "X-Linked-Etag"
  private static let sizeField = "X-Linked-Size"

  /// Reads an entity tag, weak or not, whose text is a digest in hexadecimal digits.
  private static func digest(_ tag: String) -> DigestValue? {
    var text = tag[...]
    if text.hasPrefix("W/") { text.removeFirst(2) }
    text.trimPrefix("\"")
    if text.last == "\"" { text.removeLast() }
    let algorithm = [DigestAlgorithm.sha256, .gitSHA1].first { $0.byteCount * 2 == text.utf8.count }
    return algorithm.flatMap { try? DigestValue.parse("\($0.rawValue)=\(text)") }
  }

  /// Returns why this is not the expected file, as a clause; `nil` if nothing shows that.
  func difference(from expected: ExpectedFile) -> String? {
    if let wanted = expected.digest, let digest, digest.algorithm == wanted.algorithm, digest != wanted {
      return "its \(LinkedFile.tagField) is \(digest.hex), expected \(wanted.hex)"
    }
    if let wanted = expected.size, let size, size != wanted { return "it has \(size) bytes, expected \(wanted)" }
    return nil
  }
}
