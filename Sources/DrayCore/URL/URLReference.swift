// Splits a URL reference and resolves a relative one (RFC 3986 §5.2, appendix B).

/// A URL or relative reference, split but not checked. The fragment is dropped, because it is never sent.
struct URLReference {
  /// The scheme in lowercase.
  var scheme: String?
  /// The text between `//` and the path.
  var authority: ArraySlice<UInt8>?
  var path: ArraySlice<UInt8>
  /// The text after `?`; empty after a final `?`, `nil` if there is no `?`.
  var query: ArraySlice<UInt8>?

  /// Splits any bytes without failing.
  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes.prefix { $0 != UInt8(ascii: "#") }
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = String(decoding: rest[..<colon].map(\.lowercased), as: UTF8.self)
      rest = rest[(colon + 1)...]
    }
    if rest.starts(with: "//".utf8) {
      let start = rest.startIndex + 2
      let end = rest[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
      authority = rest[start..<end]
      rest = rest[end...]
    }
    let mark = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
    path = rest[..<mark]
    query = mark < rest.endIndex ? rest[(mark + 1)...] : nil
  }

  /// Returns the path relative to a document at `base` (RFC 3986 §5.2.3), still with dot segments.
  func path(mergedWith base: String) -> [UInt8] {
    if path.first == UInt8(ascii: "/") { return Array(path) }
    let directory = base.utf8.lastIndex(of: UInt8(ascii: "/")).map { base.utf8[...$0] } ?? base.utf8[...]
    return Array(directory) + path
  }

  /// Removes dot segments from a path that begins with `/` (RFC 3986 §5.2.4).
  static func removingDots(_ path: [UInt8]) -> [UInt8] {
    let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    guard zip(path, path.dropFirst()).contains(where: { $0 == slash && $1 == dot }) else { return path }
    let segments = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
    var kept: [ArraySlice<UInt8>] = []
    for (index, segment) in segments.enumerated() {
      let isDots = segment.elementsEqual([dot]) || segment.elementsEqual([dot, dot])
      if isDots {
        if segment.count == 2 { _ = kept.popLast() }
        if index == segments.count - 1 { kept.append([]) }
      } else {
        kept.append(segment)
      }
    }
    return [slash] + kept.joined(separator: [slash])
  }

  private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, first.isLetter else { return false }
    return bytes.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }
}
