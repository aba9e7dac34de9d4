// Finds the links of a page in one pass over its bytes, without an HTML parser. Any input is accepted.

internal import DrayCore

struct HTMLLink: Equatable {
  /// The value of `href` with decoded entities.
  var target: String
  /// The text between this link and the next, without tags.
  var row = ""
  /// Text and image in the link itself.
  var hasText = false, hasImage = false
  var isIcon: Bool { hasImage && !hasText }
}

struct HTMLScanner {
  /// The maximum length in bytes of a row or a title.
  private static let longest = 200

  private(set) var links: [HTMLLink] = []
  /// The target of the first `<base>`.
  private(set) var base: String?
  private(set) var title = ""

  private enum Place {
    case none, title, link, row
  }

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    var (place, text) = (Place.none, [UInt8]())
    func end(_ scanner: inout HTMLScanner) {
      let words = HTMLScanner.decoded(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if place == .title { scanner.title = words }
      if place == .row, !scanner.links.isEmpty { scanner.links[scanner.links.count - 1].row = words }
      text = []
    }
    while let mark = rest.firstIndex(of: UInt8(ascii: "<")) {
      if place == .link, !links.isEmpty, rest[..<mark].contains(where: { $0 > 0x20 }) {
        links[links.count - 1].hasText = true
      }
      if place == .title || place == .row, text.count < HTMLScanner.longest {
        text += rest[..<mark].prefix(HTMLScanner.longest - text.count)
      }
      rest = rest[(mark + 1)...]
      if rest.starts(with: "!--".utf8) {
        rest = rest.firstRange(of: Array("-->".utf8)).map { rest[$0.upperBound...] } ?? []
        continue
      }
      let isEnd = rest.first == UInt8(ascii: "/")
      let name = String(decoding: rest.dropFirst(isEnd ? 1 : 0).prefix(10).prefix { $0.isLetter }, as: UTF8.self)
        .lowercased()
      rest = rest.dropFirst(name.utf8.count + (isEnd ? 1 : 0))
      // A tag separates the texts on both sides.
      if !text.isEmpty, text.count < HTMLScanner.longest { text.append(0x20) }
      guard !name.isEmpty, rest.first.map({ $0 <= 0x20 || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") }) ?? false
      else { continue }
      let href = HTMLTag.attributes(&rest, named: ["href"])["href"].map { HTMLScanner.decoded($0) }
      switch (name, isEnd) {
      case ("a", false):
        end(&self)
        place = .link
        if let target = href { links.append(HTMLLink(target: target)) }
      case ("a", true):
        place = .row
      case ("img", false), ("svg", false):
        if place == .link, !links.isEmpty { links[links.count - 1].hasImage = true }
      case ("base", false):
        base = base ?? href
      case ("title", false):
        place = .title
      case ("title", true), ("tbody", true), ("table", true), ("pre", true), ("ul", true):
        end(&self)
        place = .none
      case ("script", false), ("style", false):
        rest = HTMLScanner.skip(rest, to: name)
      default:
        break
      }
    }
    end(&self)
  }

  /// Returns the input after a script or style, in which `<` begins no tag.
  private static func skip(_ rest: ArraySlice<UInt8>, to name: String) -> ArraySlice<UInt8> {
    var rest = rest
    while let mark = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(mark + 1)...]
      let start = rest.prefix(name.utf8.count + 1)
      if start.first == UInt8(ascii: "/"), start.dropFirst().map(\.lowercasedLetter).elementsEqual(name.utf8) {
        return rest
      }
    }
    return []
  }

  // MARK: Entities

  private static let entities: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
  ]

  /// `&…;` is decoded. Unknown entities stay unchanged.
  static func decoded(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      // No entity is longer than that of U+10FFFF.
      let name = scalar == "&" ? rest.prefix(9).prefix { $0 != ";" } : rest.prefix(0)
      guard !name.isEmpty, rest.dropFirst(name.count).first == ";", let meant = entity(String(Substring(name))) else {
        result.append(scalar)
        continue
      }
      result.append(meant)
      rest = rest.dropFirst(name.count + 1)
    }
    return String(result)
  }

  private static func entity(_ name: String) -> Unicode.Scalar? {
    guard name.hasPrefix("#") else { return entities[name] }
    let digits = name.dropFirst()
    let isHex = digits.hasPrefix("x") || digits.hasPrefix("X")
    guard let first = digits.dropFirst(isHex ? 1 : 0).first, first != "+", first != "-",
      let value = UInt32(digits.dropFirst(isHex ? 1 : 0), radix: isHex ? 16 : 10)
    else { return nil }
    return Unicode.Scalar(value)
  }
}

extension UInt8 {
  /// ASCII only.
  fileprivate var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  /// Meaningless for bytes that are no ASCII letters.
  fileprivate var lowercasedLetter: UInt8 { self | 0x20 }
}
