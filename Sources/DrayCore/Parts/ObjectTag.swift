/// Entity tags of objects: compares them, and computes the tag that an upload in parts must have.
package enum ObjectTag {
  /// Returns a tag without quotes and without the `W/` of weak tags.
  package static func bare(_ text: String) -> String {
    var text = text[...]
    if text.hasPrefix("W/") { text = text.dropFirst(2) }
    if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
    return String(text)
  }

  /// Whether two tags are equal, ignoring quotes and the case of digits.
  package static func areEqual(_ one: String, _ two: String) -> Bool {
    bare(one).lowercased() == bare(two).lowercased()
  }

  /// Returns the bytes of a tag that is an MD5; `nil` for any other tag.
  package static func md5(_ tag: String) -> [UInt8]? {
    let digits = bare(tag).utf8.map(\.hexValue)
    guard digits.count == 32, !digits.contains(nil) else { return nil }
    return stride(from: 0, to: 32, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
  }

  /// Whether a tag looks like that of an upload in parts: an MD5, a hyphen, and the number of parts.
  package static func isOfParts(_ tag: String) -> Bool {
    let pieces = bare(tag).split(separator: "-", omittingEmptySubsequences: false)
    return pieces.count == 2 && md5(String(pieces[0])) != nil && Int(pieces[1]) != nil
  }

  /// Returns the tag of an object from the tags of its parts: the MD5 of their MD5s, and their number; `nil` if a tag
  /// is not an MD5, or there are no parts.
  /// - Parameter md5: Computes an MD5 as hexadecimal digits.
  package static func ofParts(_ tags: [String], md5 digest: ([UInt8]) -> String) -> String? {
    var all: [UInt8] = []
    for tag in tags {
      guard let bytes = md5(tag) else { return nil }
      all += bytes
    }
    return tags.isEmpty ? nil : "\(digest(all))-\(tags.count)"
  }

  /// Returns a number for a tag, which serves as the inode number in the object's ``FileIdentity``.
  package static func number(_ tag: String) -> UInt64 { hash(bare(tag).lowercased()) }

  /// Returns the FNV-1a hash of a text.
  package static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
