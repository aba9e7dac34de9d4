// Reads digest lists next to files on servers: SHA256SUMS, name.sha256 and similar, with or without a cleartext
// signature.

package import DrayCore

package struct DigestList: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var digest: DigestValue
    /// The file name as written; `nil` if the line has only the digest.
    package var name: String?
  }

  package var entries: [Entry]

  /// Whether the list has a cleartext signature (RFC 9580 §7).
  package var isSigned: Bool

  static let kind = "a list of digests"
  private static let clearHead = "-----BEGIN PGP SIGNED MESSAGE-----"
  private static let clearEnd = "-----BEGIN PGP SIGNATURE-----"

  /// Reads a list in the form of sha256sum(1), with or without `--tag`, or of openssl(1), or a digest alone. Other
  /// lines are skipped, because such lists have all kinds of comments.
  /// - Throws: ``DocumentError`` if no line is a digest.
  package static func parse(_ bytes: [UInt8]) throws(DocumentError) -> DigestList {
    var list = DigestList(entries: [], isSigned: false)
    var isHead = false
    for line in bytes.split(omittingEmptySubsequences: false, whereSeparator: { $0 == UInt8(ascii: "\n") }) {
      var text = Substring(String(decoding: line, as: UTF8.self))
      if text.utf8.last == UInt8(ascii: "\r") { text = Substring(text.utf8.dropLast()) }
      if text == clearHead {
        // Drop the text before the signed part, which is not signed.
        (list.entries, list.isSigned, isHead) = ([], true, true)
      } else if list.isSigned, text == clearEnd {
        break
      } else if isHead {
        isHead = !text.isEmpty
      } else {
        if list.isSigned, text.hasPrefix("- ") { text = text.dropFirst(2) }
        if let entry = tagged(text) ?? plain(text) { list.entries.append(entry) }
      }
    }
    guard !list.entries.isEmpty else { throw DocumentError(kind, "it contains no digests") }
    return list
  }

  /// Returns the digest of a file: from the entry with this name, otherwise from an entry whose path ends in the name.
  /// In a list for one file only, a digest without a name counts, too. Returns `nil` if there is none, or if several
  /// differ.
  /// - Parameter isOwn: Whether the list is named after the file.
  package func digest(of name: String, isOwn: Bool) -> DigestValue? {
    func last(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
    let exact = entries.filter { $0.name == name || $0.name == "./" + name }
    let found = exact.isEmpty ? entries.filter { $0.name.map { last($0) == name } ?? false } : exact
    let meant = found.isEmpty && isOwn && entries.count == 1 ? entries.filter { $0.name == nil } : found
    guard let best = meant.min(by: { $0.digest.algorithm.rank < $1.digest.algorithm.rank })?.digest else { return nil }
    return meant.allSatisfy { $0.digest.algorithm != best.algorithm || $0.digest == best } ? best : nil
  }

  /// `SHA256 (name) = HEX`, the form of BSD, `--tag` and openssl.
  private static func tagged(_ line: Substring) -> Entry? {
    guard let open = line.firstIndex(of: "("), let equals = line.lastIndex(of: "="),
      let close = line[..<equals].lastIndex(of: ")"), open < close
    else { return nil }
    var word = String(line[..<open].trimmingSpaces())
    if word.hasPrefix("SHA2-") { word = "SHA" + word.dropFirst(5) }
    guard let algorithm = DigestAlgorithm(named: word),
      let digest = try? DigestValue.parse(
        "\(algorithm.rawValue)=\(line[line.index(after: equals)...].trimmingSpaces())")
    else { return nil }
    return Entry(digest: digest, name: String(line[line.index(after: open)..<close]))
  }

  /// `HEX  name`, `HEX *name`, or the digits alone. A leading backslash means that the name has escapes.
  private static func plain(_ line: Substring) -> Entry? {
    let isEscaped = line.hasPrefix("\\")
    let rest = isEscaped ? line.dropFirst() : line.trimmingSpaces()
    let digits = rest.prefix { !$0.isWhitespace }
    guard let algorithm = DigestAlgorithm.hashes.first(where: { $0.byteCount * 2 == digits.utf8.count }),
      let digest = try? DigestValue.parse("\(algorithm.rawValue)=\(digits)")
    else { return nil }
    var name = rest[digits.endIndex...].drop { $0 == " " || $0 == "\t" }
    if name.isEmpty { return Entry(digest: digest, name: nil) }
    if name.first == "*" { name = name.dropFirst() }
    return Entry(digest: digest, name: isEscaped ? unescaped(name) : String(name))
  }

  private static func unescaped(_ name: Substring) -> String {
    var result = ""
    var rest = name
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.popFirst() else {
        result.append(character)
        continue
      }
      result.append(next == "n" ? "\n" : next == "r" ? "\r" : next)
    }
    return result
  }
}
