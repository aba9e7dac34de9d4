// The argument of `--match`: a part of a text, or a pattern with wildcards.

/// A case-insensitive pattern: with `*` (any text) or `?` (one character) it is the whole
/// text, otherwise a part of it.
public struct TextPattern: Sendable {
  private let pattern: [Unicode.Scalar]

  /// Makes a pattern.
  public init(_ text: String) {
    let isGlob = text.contains { $0 == "*" || $0 == "?" }
    pattern = Array((isGlob ? text : "*\(text)*").lowercased().unicodeScalars)
  }

  /// Whether the pattern is this text, or a part of it. Takes time in proportion to both lengths.
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
        // The last star consumes one more; those before it need none.
        star = (last.at, last.place + 1)
        (at, place) = (last.at + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}
