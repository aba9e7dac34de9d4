// URL patterns as in curl: `{a,b}`, `[1-9]`, `[01-30]`, `[a-z]`, `[0-100:10]`.

/// The reason why a text is not a URL pattern.
package struct URLGlobError: ParseError, Sendable {
  /// The reason as one line. It gives the position, but does not quote the text, which may contain a password.
  package let message: String

  init(_ what: String, at position: Int) { message = "\(what) at position \(position) of the URL" }
  init(_ message: String) { self.message = message }
}

/// A typed URL that may stand for several URLs.
///
/// The last pattern changes fastest. A backslash escapes `{`, `}`, `[`, `]` and `,`. An IPv6 address in brackets is not
/// a pattern.
package struct URLGlob: Sendable, Equatable {
  /// The maximum number of URLs.
  package static let most = 100_000
  /// The maximum total length of all URLs, in bytes.
  static let mostBytes = 256 << 20

  private enum Part: Equatable {
    case text(String)
    case choice(Choice)

    var pattern: Choice? { if case .choice(let choice) = self { choice } else { nil } }
  }

  /// The texts to which a pattern expands.
  private enum Choice: Equatable {
    case words([String])
    case numbers(from: Int, step: Int, count: Int, width: Int)
    case letters(from: UInt8, step: Int, count: Int)

    var count: Int {
      switch self {
      case .words(let words): words.count
      case .numbers(_, _, let count, _), .letters(_, _, let count): count
      }
    }

    func text(_ index: Int) -> String {
      switch self {
      case .words(let words): return words[index]
      case .letters(let first, let step, _): return String(UnicodeScalar(first + UInt8(index * step)))
      case .numbers(let first, let step, _, let width):
        let digits = "\(first + index * step)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
      }
    }
  }

  private let parts: [Part]
  /// The number of URLs.
  package let count: Int

  /// Reads a typed URL.
  /// - Throws: ``URLGlobError`` for an invalid pattern, and for too many URLs.
  package init(_ typed: String) throws(URLGlobError) {
    var reader = GlobReader(Array(typed.utf8))
    parts = try reader.parts()
    var count = 1
    for choice in parts.compactMap(\.pattern) {
      // Check each factor first, because the product may overflow.
      guard choice.count <= URLGlob.most, count * choice.count <= URLGlob.most else {
        throw URLGlobError("its patterns stand for more than \(URLGlob.most) URLs")
      }
      count *= choice.count
    }
    guard count == 1 || count * typed.utf8.count <= URLGlob.mostBytes else {
      throw URLGlobError("its patterns stand for URLs of more than \(URLGlob.mostBytes >> 20) MiB together")
    }
    self.count = count
  }

  /// Returns the URL at an index below ``count``.
  package func url(_ index: Int) -> String {
    var choices = choices(index)[...]
    return parts.map { part in
      if case .text(let text) = part { text } else { choices.popFirst() ?? "" }
    }.joined()
  }

  /// Returns a file name from a template: `#1` becomes the first pattern's text in this URL. A number without a pattern
  /// stays unchanged.
  package func name(_ template: String, _ index: Int) -> String {
    let choices = choices(index)
    var name = ""
    URLGlob.read(template) { text, number in
      if let number, choices.indices.contains(number - 1) { name += choices[number - 1] } else { name += text }
    }
    return name
  }

  /// Whether a name template refers to a pattern, so that each URL may get a different name.
  package func names(_ template: String) -> Bool {
    let patterns = parts.count { $0.pattern != nil }
    var depends = false
    URLGlob.read(template) { _, number in if let number, (1...max(1, patterns)).contains(number) { depends = true } }
    return depends && patterns > 0
  }

  /// Calls `take` for each piece of a template: the literal text, or the text and number of a `#1`.
  private static func read(_ template: String, _ take: (_ text: String, _ number: Int?) -> Void) {
    var rest = template[...]
    while let mark = rest.firstIndex(of: "#") {
      take(String(rest[..<mark]), nil)
      let digits = rest[rest.index(after: mark)...].prefix { $0.isASCII && $0.isNumber }
      take(String(rest[mark..<digits.endIndex]), Int(digits))
      rest = rest[digits.endIndex...]
    }
    take(String(rest), nil)
  }

  /// Returns the text of each pattern in the URL at an index.
  private func choices(_ index: Int) -> [String] {
    var rest = index
    var texts: [String] = []
    for choice in parts.compactMap(\.pattern).reversed() {
      texts.append(choice.text(rest % choice.count))
      rest /= choice.count
    }
    return texts.reversed()
  }

  // MARK: Reading

  private struct GlobReader {
    let bytes: [UInt8]
    var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func parts() throws(URLGlobError) -> [Part] {
      var parts: [Part] = []
      var text: [UInt8] = []
      func end() { if !text.isEmpty { parts.append(.text(String(decoding: text, as: UTF8.self))) } }
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: "{"):
          end()
          text = []
          parts.append(.choice(try set()))
        case UInt8(ascii: "[") where addressEnd != nil:
          let end = addressEnd ?? place
          text += bytes[place...end]
          place = end + 1
        case UInt8(ascii: "["):
          end()
          text = []
          parts.append(.choice(try range()))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          throw URLGlobError("there is an unmatched \(Character(UnicodeScalar(bytes[place])))", at: place + 1)
        default:
          text.append(next())
        }
      }
      end()
      return parts
    }

    /// Returns the next byte; if a backslash precedes it, the backslash is dropped.
    private mutating func next() -> UInt8 {
      if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count, "{}[],".utf8.contains(bytes[place + 1]) {
        place += 1
      }
      defer { place += 1 }
      return bytes[place]
    }

    /// The end of the bracket at the present position, if it contains an IPv6 address: at least two colons and no dash.
    private var addressEnd: Int? {
      guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let inside = bytes[(place + 1)..<end].prefix { $0 != UInt8(ascii: "%") }
      let isAddress =
        inside.count { $0 == UInt8(ascii: ":") } > 1
        && inside.allSatisfy { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") || $0.hexValue != nil }
      return isAddress ? end : nil
    }

    /// `{a,b}`.
    private mutating func set() throws(URLGlobError) -> Choice {
      let start = place
      place += 1
      var all: [String] = []
      var word: [UInt8] = []
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          throw URLGlobError("there is a pattern within braces", at: place + 1)
        case UInt8(ascii: "]"):
          throw URLGlobError("there is an unmatched ]", at: place + 1)
        case UInt8(ascii: ","), UInt8(ascii: "}"):
          guard place > start + 1 || bytes[place] == UInt8(ascii: ",") else {
            throw URLGlobError("there is nothing within the braces", at: place + 1)
          }
          all.append(String(decoding: word, as: UTF8.self))
          word = []
          place += 1
          if bytes[place - 1] == UInt8(ascii: "}") { return .words(all) }
        default:
          word.append(next())
        }
      }
      throw URLGlobError("there is an unmatched {", at: start + 1)
    }

    /// `[1-9]` or `[a-z]`, optionally with `:STEP`.
    private mutating func range() throws(URLGlobError) -> Choice {
      let start = place
      guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "]")) else {
        throw URLGlobError("there is an unmatched [", at: start + 1)
      }
      let bad = URLGlobError("there is a bad range", at: start + 1)
      let halves = bytes[(start + 1)..<end].split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
      let ends = halves[0].split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
      var step = 1
      if halves.count > 1 {
        guard let given = Self.number(halves[1]), given > 0 else { throw bad }
        step = given
      }
      guard ends.count == 2, let first = ends[0].first else { throw bad }
      place = end + 1
      if ends[0].count == 1, ends[1].count == 1, let last = ends[1].first, first.isLetter, last.isLetter {
        // As in curl, both letters have the same case and ascend.
        guard first <= last, (first < UInt8(ascii: "a")) == (last < UInt8(ascii: "a")) else { throw bad }
        return .letters(from: first, step: step, count: Int(last - first) / step + 1)
      }
      guard let lower = Self.number(ends[0]), let upper = Self.number(ends[1]), lower <= upper else { throw bad }
      let width = first == UInt8(ascii: "0") ? ends[0].count : 0
      return .numbers(from: lower, step: step, count: (upper - lower) / step + 1, width: width)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
      guard (1...18).contains(digits.count), digits.allSatisfy(\.isDigit) else { return nil }
      return Int(String(decoding: digits, as: UTF8.self))
    }
  }
}

extension URLGlob {
  /// Creates a URL without patterns from a typed text.
  package init(verbatim text: String) {
    parts = [.text(text)]
    count = 1
  }
}
