// The argument of `--match`: a part of a text, or a pattern with wildcards.

/// A case-insensitive pattern. With `*` (any text) or `?` (one character) it matches the whole text, otherwise any part
/// of it.
public struct TextPattern: Sendable {
  private let pattern: [Unicode.Scalar]

  /// Creates a pattern.
  public init(_ text: String) {
    let isGlob = text.contains { $0 == "*" || $0 == "?" }
    pattern = Array((isGlob ? text : "*\(text)*").lowercased().unicodeScalars)
  }

  /// Whether the pattern matches a text. The time is proportional to both lengths.
  public func matches(_ text: String) -> Bool {
    let text = Array(text.lowercased().unicodeScalars)
    var (at, place) = (0, 0)
    var star: (at: Int, place: Int)?
    while place < text.count {
      if at < pattern.count, pattern[at] == "*" {
        star = (at, place)
        at += 1
      } else if at < pattern.count, pattern[at] == "?" || pattern[at] == text[place] {
        (at, place) = (at + 1, place + 1)
      } else if let last = star {
        // Extend the last star by one; earlier stars need no more.
        star = (last.at, last.place + 1)
        (at, place) = (last.at + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}
