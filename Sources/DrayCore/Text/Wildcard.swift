// Texts with wildcards: of `--match`, of parts of a path, of known hosts.

/// A pattern: `*` is any text, `?` one character.
public struct Wildcard: Sendable, Equatable {
  private let pattern: [Unicode.Scalar]
  private let ignoresCase: Bool

  /// A pattern for whole texts.
  init(_ text: some StringProtocol) {
    pattern = Array(text.unicodeScalars)
    ignoresCase = false
  }

  /// A case-insensitive pattern for whole texts; without a wildcard, for any part of one.
  public init(search text: String) {
    let isWhole = text.contains { $0 == "*" || $0 == "?" }
    pattern = Array((isWhole ? text : "*\(text)*").lowercased().unicodeScalars)
    ignoresCase = true
  }

  /// Whether the pattern matches. The time is proportional to the product of both lengths at most.
  public func matches(_ text: String) -> Bool {
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
        // The last star takes one character more; those before it need none.
        star = (last.at, last.place + 1)
        (at, place) = (last.at + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}
