// How many attributes the tags of an XML document have: looked at before any parser is let near it.

/// A look at tags that understands nothing else.
enum XMLTags {
  /// Attributes that an element may have.
  static let attributeLimit = 1000

  /// The line of the first tag that has more; `nil` where none has.
  ///
  /// libxml2 compares each attribute of an element with all before it: 16 MiB of them keep it busy for minutes (P13). Up to
  /// the first mistake in a document this look and libxml2 agree on what is a tag; beyond it nothing is read.
  static func crowdedLine(in text: String) -> Int? {
    var text = text
    return text.withUTF8 { bytes in
      var at = 0
      while let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
        at = start + 1
        if let end = opaqueEnd(bytes, at) {
          at = end
          continue
        }
        var count = 0
        loop: while at < bytes.count {
          switch bytes[at] {
          case UInt8(ascii: ">"), UInt8(ascii: "<"): break loop
          case UInt8(ascii: "="):
            count += 1
            guard count <= attributeLimit else { return 1 + bytes[..<at].count { $0 == UInt8(ascii: "\n") } }
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

  /// Where a comment, a CDATA section or an instruction that begins at `at` ends; `nil` for anything else.
  private static func opaqueEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int? {
    for (start, end) in [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")]
    where bytes[at...].starts(with: start.utf8) {
      return bytes[(at + start.utf8.count)...].firstRange(of: Array(end.utf8))?.upperBound ?? bytes.count
    }
    return nil
  }
}
