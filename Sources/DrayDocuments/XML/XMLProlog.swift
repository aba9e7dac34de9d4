// Reads the text before an XML document's root, before the parser does.

/// The prolog of a document (XML 1.0 §2.8).
struct XMLProlog {
  /// Whether there is a `<!DOCTYPE`.
  private(set) var hasDocumentType = false
  /// The lowercase name in the document type.
  private(set) var documentType: String?
  /// As written; `nil` without a root.
  private(set) var rootName: String?
  /// Where reading ended.
  private(set) var line = 1

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var rest = bytes[...]
    func skip(to end: String) {
      rest = rest.firstRange(of: Array(end.utf8)).map { rest[$0.upperBound...] } ?? rest[rest.endIndex...]
    }
    func name(after count: Int) -> String {
      let start = rest.dropFirst(count).drop { $0 <= 0x20 }
      return String(decoding: start.prefix { $0 > 0x20 && !">/[".utf8.contains($0) }.prefix(100), as: UTF8.self)
    }
    loop: while true {
      rest = rest.drop { $0 <= 0x20 }
      if rest.starts(with: "<?".utf8) {
        skip(to: "?>")
      } else if rest.starts(with: "<!--".utf8) {
        skip(to: "-->")
      } else if rest.starts(with: "<!".utf8) {
        hasDocumentType = true
        documentType = name(after: "<!doctype".utf8.count).lowercased()
        break loop
      } else {
        if rest.first == UInt8(ascii: "<") { rootName = name(after: 1) }
        break loop
      }
    }
    line = 1 + bytes[..<rest.startIndex].count { $0 == UInt8(ascii: "\n") }
  }

  var isHTML: Bool { documentType == "html" || rootName?.lowercased() == "html" }
}
