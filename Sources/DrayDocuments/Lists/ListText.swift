// The lines of a list, with their numbers.

internal import DrayCore

struct ListLine: Equatable {
  /// From 1.
  var number: Int
  var text: String
}

enum ListText {
  /// Returns the lines. They may end in CR LF, and a byte order mark is skipped.
  static func lines(_ bytes: [UInt8], kind: String) throws(DocumentError) -> [ListLine] {
    var lines: [ListLine] = []
    for (index, line) in split(bytes[...]).enumerated() {
      guard let text = String(validating: line, as: UTF8.self) else {
        throw DocumentError(kind, "the line is not UTF-8", line: index + 1)
      }
      lines.append(ListLine(number: index + 1, text: text))
    }
    return lines
  }

  static func split(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    return rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
  }

  /// Whether a text begins with `scheme:` and, for a URL that dray can fetch, `//`.
  static func beginsURL(_ text: some StringProtocol) -> Bool {
    guard let mark = text.firstRange(of: "://"), mark.lowerBound > text.startIndex else { return false }
    return text[..<mark.lowerBound].utf8.allSatisfy { ListText.isDigit($0) || isLetter($0) || "+-.".utf8.contains($0) }
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

  static func words(_ text: some StringProtocol) -> [String] {
    String(text).unicodeScalars.split { $0 == " " || $0 == "\t" }.map { String($0) }
  }

  /// Returns the digest that a list writes as `sha256:HEX`.
  static func digest(_ text: String, _ place: String, kind: String, line: Int?) throws(DocumentError) -> DigestValue {
    do throws(DigestParseError) { return try DigestValue.parse(text) } catch {
      throw DocumentError(kind, "\(place): \(error.message)", line: line)
    }
  }
}

/// The beginning of a text, by which a list is recognised.
struct ListHead {
  private static let longest = 256 << 10

  let bytes: [UInt8]
  /// The lines that are neither empty nor comments, without blanks at their ends.
  let lines: [String]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var pieces = ListText.split(bytes.prefix(ListHead.longest))
    // The last line may be cut.
    if bytes.count > ListHead.longest { pieces.removeLast() }
    lines = pieces.compactMap { piece in
      let text = String(decoding: piece, as: UTF8.self).trimmingSpaces()
      return text.isEmpty || text.hasPrefix("#") ? nil : String(text)
    }
  }

  /// The keys of a TOML document before its first table.
  var keys: [String] {
    lines.prefix { !$0.hasPrefix("[") }.compactMap { line in
      line.firstIndex(of: "=").map { String(line[..<$0].trimmingSpaces()) }
    }
  }

  var isObject: Bool { bytes.prefix(ListHead.longest).first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "{") }

  func contains(_ text: String) -> Bool {
    bytes.prefix(ListHead.longest).firstRange(of: Array(text.utf8)) != nil
  }
}
