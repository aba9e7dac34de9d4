// What would keep libxml2 busy for minutes: looked for before it is let near a document (P13).

/// A look at tags that understands nothing else.
enum XMLTags {
  /// Attributes that an element may have.
  static let attributeLimit = 1000

  /// What follows the `<` of comments, CDATA sections and instructions, and what ends them.
  private static let opaque: [(start: String, end: String)] = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")]

  /// What is wrong with a document.
  enum Fault: Equatable {
    /// An element has more attributes than the limit: libxml2 compares each with all before it.
    case crowded(line: Int)
    /// A comment, a CDATA section or an instruction has no end: libxml2 looks for it anew with each chunk that it is fed.
    case endless(line: Int)
  }

  /// The first fault; `nil` where there is none. Up to the first mistake in a document this look and libxml2 agree on what is a
  /// tag; beyond it nothing is read.
  static func fault(in text: String) -> Fault? {
    var text = text
    return text.withUTF8 { bytes -> Fault? in
      func line(_ at: Int) -> Int { 1 + bytes[..<at].count { $0 == UInt8(ascii: "\n") } }
      var at = 0
      while let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
        at = start + 1
        if let (start, end) = opaque.first(where: { bytes[at...].starts(with: $0.start.utf8) }) {
          let rest = bytes[(at + start.utf8.count)...]
          guard let range = rest.firstRange(of: Array(end.utf8)) else { return .endless(line: line(at)) }
          at = range.upperBound
          continue
        }
        var count = 0
        loop: while at < bytes.count {
          switch bytes[at] {
          case UInt8(ascii: ">"), UInt8(ascii: "<"): break loop
          case UInt8(ascii: "="):
            count += 1
            guard count <= attributeLimit else { return .crowded(line: line(at)) }
          case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let mark = bytes[at]
            at = bytes[(at + 1)...].firstIndex(of: mark) ?? bytes.count - 1
          default: break
          }
          at += 1
        }
      }
      return nil
    }
  }
}
