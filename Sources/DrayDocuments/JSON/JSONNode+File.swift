// The facts about a file that services write in their JSON: its size and its digest.

internal import DrayCore

extension JSONNode {
  /// The value as a size in bytes; `nil` for `null`.
  /// - Parameters:
  ///   - place: The member, for the error.
  ///   - kind: The kind of document, for the error.
  /// - Throws: ``DocumentError`` if it is anything else.
  func fileSize(_ place: String, _ kind: String) throws(DocumentError) -> Int64? {
    if value == .null { return nil }
    guard let count = integer, count >= 0 else {
      throw DocumentError(kind, "\(place) is not a number of bytes", line: line)
    }
    return count
  }

  /// The value as a digest, like `md5:HEX`; `nil` for `null`, an empty text and an unknown algorithm.
  /// - Parameters:
  ///   - algorithm: The algorithm, if the text has the digits alone.
  ///   - place: The member, for the error.
  ///   - kind: The kind of document, for the error.
  /// - Throws: ``DocumentError`` if the digits are invalid: the file was meant to be checked (P12).
  func fileDigest(
    _ place: String, _ kind: String, algorithm: String? = nil
  ) throws(DocumentError) -> DigestValue? {
    if value == .null { return nil }
    guard let text = string else { throw DocumentError(kind, "\(place) is not a digest", line: line) }
    let written = text.contains(":") ? text : algorithm.map { "\($0):\(text)" } ?? text
    guard !text.isEmpty, let name = written.split(separator: ":", maxSplits: 1).first.map({ String($0) }),
      DigestAlgorithm(named: name) != nil
    else { return nil }
    do throws(DigestParseError) { return try DigestValue.parse(written) } catch {
      throw DocumentError(kind, "\(place): \(error.message)", line: line)
    }
  }
}
