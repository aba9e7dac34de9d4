// Decodes the bytes of documents by their byte order marks and declared encodings.

enum DocumentText {
  /// Returns the text of an XML document (XML 1.0, appendix F). The encoding is the one of its byte order mark, its
  /// first bytes, or its declaration, in this order; without any of them UTF-8. Invalid bytes become U+FFFD, because a
  /// feed with one wrong byte is still a feed. Encodings of some languages come from the C library (``ForeignText``).
  /// - Parameter charset: The charset in the answer's Content-Type. It overrides the declaration (RFC 7303 §3), unless
  ///   the bytes match the declaration: many servers add one charset to all files.
  /// - Throws: ``DocumentError`` if the encoding is unknown.
  static func xml(_ bytes: [UInt8], kind: String, charset: String? = nil) throws(DocumentError) -> String {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), isBig: false) }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), isBig: true) }
    if bytes.starts(with: [0x3C, 0x00]) { return utf16(bytes[...], isBig: false) }
    if bytes.starts(with: [0x00, 0x3C]) { return utf16(bytes[...], isBig: true) }
    return try decoded(bytes, encoding(of: bytes, charset: charset?.lowercased()), kind)
  }

  private static func encoding(of bytes: [UInt8], charset: String?) -> String {
    let declared = declared(bytes)
    guard let charset, charset != declared else { return declared ?? "utf-8" }
    let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
    if unicode.contains(charset) { return isUTF8 ? charset : declared ?? charset }
    if let declared, unicode.contains(declared), isUTF8 { return declared }
    return ForeignText.isKnown(charset) || latin.contains(charset) ? charset : declared ?? "utf-8"
  }

  private static let unicode: Set<String> = ["utf-8", "utf8"]
  private static let latin: Set<String> = [
    "iso-8859-1", "latin1", "latin-1", "iso8859-1", "windows-1252", "cp1252",
  ]

  private static func decoded(_ bytes: [UInt8], _ name: String, _ kind: String) throws(DocumentError) -> String {
    switch name {
    case "utf-8", "utf8", "us-ascii", "ascii": return String(decoding: bytes, as: UTF8.self)
    case _ where latin.contains(name):
      // By the WHATWG Encoding Standard, 0x80 to 0x9F mean the same in ISO-8859-1 as in Windows-1252.
      return windows(bytes)
    case "utf-16", "utf-16le", "utf-16be":
      // The declaration was readable byte by byte, so the text cannot be UTF-16.
      return String(decoding: bytes, as: UTF8.self)
    default:
      if let text = ForeignText.decode(bytes, from: name) { return text }
      throw DocumentError(kind, "its encoding \(quote(name)) is not supported: save it as UTF-8", line: 1)
    }
  }

  /// Returns the lowercase name in `encoding="…"` of the XML declaration.
  private static func declared(_ bytes: [UInt8]) -> String? {
    let bytes = bytes.drop { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
    guard bytes.starts(with: "<?xml".utf8) else { return nil }
    let head = String(decoding: bytes.prefix(200).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    guard let mark = head.firstRange(of: "encoding") else { return nil }
    let rest = head[mark.upperBound...].drop { $0 == " " || $0 == "=" || $0 == "\t" }
    guard let sign = rest.first, sign == "\"" || sign == "'" else { return nil }
    return rest.dropFirst().prefix { $0 != sign }.lowercased()
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isBig: Bool) -> String {
    let start = bytes.startIndex
    let units = stride(from: start, to: bytes.endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func windows(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let value = (0x80..<0xA0).contains(byte) ? high[Int(byte) - 0x80] : UInt16(byte)
      text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
    }
    return String(text)
  }

  /// The characters 0x80 to 0x9F of Windows-1252.
  private static let high: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]
}
