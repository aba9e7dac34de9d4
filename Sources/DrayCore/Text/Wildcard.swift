/// A pattern in which `*` matches any text, and `?` one character; used for `--match`, components of paths, and known
/// hosts.
package struct Wildcard: Sendable, Equatable {
  private let pattern: [Unicode.Scalar]
  private let ignoresCase: Bool

  init(_ text: some StringProtocol) {
    pattern = Array(text.unicodeScalars)
    ignoresCase = false
  }

  /// Creates a case-insensitive pattern for a search. With a wildcard, it must match the whole text; without one, it
  /// may match any part.
  package init(search text: String) {
    let isWhole = text.contains { $0 == "*" || $0 == "?" }
    pattern = Array((isWhole ? text : "*\(text)*").lowercased().unicodeScalars)
    ignoresCase = true
  }

  /// Whether the pattern matches. The time is at most proportional to the product of both lengths.
  package func matches(_ text: String) -> Bool {
    let text = Array((ignoresCase ? text.lowercased() : text).unicodeScalars)
    var (at, place) = (0, 0)
    var star: (at: Int, place: Int)?
    while place < text.count {
      if at < pattern.count, pattern[at] == "*" {
        star = (at, place)
        at += 1
      } else if at < pattern.count, pattern[at] == "?" || pattern[at] == text[place] {
        (at, place) = (at + 1, place + 1)
      } else if let last = star {
        // Let the last star match one more character; earlier stars can stay as they are.
        star = (last.at, last.place + 1)
        (at, place) = (last.at + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}
