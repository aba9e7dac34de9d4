// Text that people type, paste or drop in order to download something.

/// The reason why a text has no URL to download.
package struct TypedTextError: ParseError, Sendable {
  /// One line, without the secrets of the URL.
  package let message: String
  /// The user's next step.
  package let advice: String
}

/// Links, read in the same way as arguments on the command line: several on a line, without a scheme, with patterns
/// such as `[1-3]`. Lists with options and Metalink documents are only recognised here; other code reads them.
package enum TypedText: Sendable, Equatable {
  /// The URLs, in order.
  case links([String])
  /// A list with options or mirrors, in aria2's format or as lines of JSON.
  case list
  /// A Metalink document.
  case metalink

  /// Recognises the kind of a text. Lines that begin with `#`, and the rest of a line after ` #`, are comments.
  /// - Parameters:
  ///   - most: The maximum number of URLs.
  ///   - isName: Whether a word is a name in a source, which counts as a link.
  /// - Throws: ``TypedTextError`` for a word that is not a URL, for an invalid pattern, and for too many URLs.
  package init(
    _ text: String, most: Int, isName: (String) -> Bool = { _ in false }
  ) throws(TypedTextError) {
    if TypedText.isMetalink(text) {
      self = .metalink
      return
    }
    let lines = text.split(whereSeparator: \.isNewline)
    if lines.contains(where: TypedText.isOfList) {
      self = .list
      return
    }
    var links: [String] = []
    for line in lines {
      if let name = TypedText.name(line, isName) {
        links.append(name)
        continue
      }
      for link in LinkText.links(TypedText.withoutComment(line)).flatMap(TypedText.apart) where !link.isEmpty {
        let found = try TypedText.links(link)
        guard links.count + found.count <= most else {
          throw TypedTextError(message: "these are more than \(most) links", advice: "add them in parts")
        }
        links += (0..<found.count).map { index in
          let url = found.url(index)
          return SchemeGuess(url)?.text ?? url
        }
      }
    }
    self = .links(links)
  }

  /// Returns the name that a line is, without its comment.
  private static func name(_ line: Substring, _ isName: (String) -> Bool) -> String? {
    let name = String(withoutComment(line).trimmingSpaces())
    return isName(name) ? name : nil
  }

  private static func withoutComment(_ line: Substring) -> String {
    var last: Character = " "
    return String(
      line.prefix { character in
        defer { last = character }
        return character != "#" || !last.isWhitespace
      })
  }

  /// Splits a text at its blanks if each part is a link, as in `a.example/x b.example/y`. Otherwise, the blanks belong
  /// to one URL.
  private static func apart(_ text: String) -> [String] {
    let words = text.split(whereSeparator: \.isWhitespace).map { bare(String($0)) }
    let areLinks = words.dropFirst().allSatisfy { isScheme($0) || $0.contains("/") && SchemeGuess($0) != nil }
    return areLinks ? words : [bare(text)]
  }

  private static func links(_ link: String) throws(TypedTextError) -> URLGlob {
    let shown = "\"\(TextSafety.escaped(URLRedaction.redacted(link.start(200))))\""
    let glob: URLGlob
    do throws(URLGlobError) {
      glob = try URLGlob(link)
    } catch {
      throw TypedTextError(message: "\(shown): \(error.message)", advice: "write \\[ for a bracket of the URL itself")
    }
    let first = glob.url(0)
    guard isScheme(first) || SchemeGuess(first) != nil else {
      throw TypedTextError(message: "\(shown) is not a URL", advice: "write it like https://example.org/file")
    }
    return glob
  }

  /// Whether a word has a scheme. The rest of the word is examined when the URL is fetched.
  private static func isScheme(_ word: String) -> Bool {
    guard let colon = word.firstIndex(of: ":"), let start = word.utf8.first, start.isLetter else { return false }
    return word[colon...].hasPrefix("://") && word[..<colon].utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2B }
  }

  /// Removes the marks around a link: `<URL>` (RFC 3986, appendix C), and invisible characters.
  private static func bare(_ text: String) -> String {
    let text = LinkText.trimmed(text).text
    return text.hasPrefix("<") && text.hasSuffix(">") ? String(text.dropFirst().dropLast()) : text
  }

  /// Whether a line can only belong to a list: an indented option, `URL<TAB>MIRROR`, or a JSON object.
  private static func isOfList(_ line: Substring) -> Bool {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard let first = text.first, first != "#" else { return false }
    if text.dropLast(text.reversed().prefix(while: \.isWhitespace).count).contains("\t") { return true }
    if first == "{" { return text.dropFirst().drop(while: \.isWhitespace).first == "\"" }
    guard text.startIndex > line.startIndex, let mark = text.firstIndex(of: "=") else { return false }
    let name = text[..<mark].filter { $0 != " " }
    return !name.isEmpty && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
  }

  /// Whether a text is a document with Metalink's root element.
  private static func isMetalink(_ text: String) -> Bool {
    var rest = text[...]
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
      let end = rest.hasPrefix("<?") ? "?>" : rest.hasPrefix("<!--") ? "-->" : nil
      guard let end else { break }
      guard let mark = rest.firstIndex(of: ">", after: end) else { return false }
      rest = rest[mark...]
    }
    let name = "<metalink"
    guard rest.prefix(name.count).lowercased() == name, let next = rest.dropFirst(name.count).first else {
      return false
    }
    return next.isWhitespace || next == ">"
  }
}

extension Substring {
  /// The first index of `character` after the first occurrence of `text`.
  fileprivate func firstIndex(of character: Character, after text: String) -> Index? {
    var place = startIndex
    while let found = self[place...].firstIndex(of: character) {
      place = index(after: found)
      if self[..<place].hasSuffix(text) { return place }
    }
    return nil
  }
}
