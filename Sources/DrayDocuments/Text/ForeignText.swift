// Decodes encodings older than UTF-8 with the C library's tables (iconv).

internal import CText

enum ForeignText {
  /// The C library's names of encodings by the labels in documents (WHATWG Encoding Standard §4.2). No other name is
  /// passed on, because the label comes from the document.
  private static let names: [String: String] = {
    let families: [(String, [String])] = [
      (
        "CP949",
        ["euc-kr", "cseuckr", "korean", "ks_c_5601-1987", "ksc5601", "ksc_5601", "windows-949", "cp949", "uhc"]
      ),
      (
        "GB18030",
        ["gb2312", "chinese", "csgb2312", "gb_2312-80", "gbk", "x-gbk", "cp936", "windows-936", "gb18030", "euc-cn"]
      ),
      ("BIG5-HKSCS", ["big5", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5", "cp950", "windows-950"]),
      ("CP932", ["shift_jis", "shift-jis", "sjis", "x-sjis", "csshiftjis", "ms_kanji", "windows-31j", "cp932"]),
      ("EUC-JP", ["euc-jp", "x-euc-jp", "cseucpkdfmtjapanese"]), ("ISO-2022-JP", ["iso-2022-jp", "csiso2022jp"]),
      ("KOI8-R", ["koi8-r", "koi8", "koi", "cskoi8r"]), ("KOI8-U", ["koi8-u", "koi8-ru"]),
      ("CP874", ["windows-874", "cp874", "tis-620", "iso-8859-11"]),
      ("CP1254", ["windows-1254", "cp1254", "iso-8859-9", "latin5"]),
      ("MACINTOSH", ["macintosh", "mac", "x-mac-roman"]),
      ("CP866", ["ibm866", "cp866"]), ("ISO-8859-2", ["latin2"]), ("ISO-8859-15", ["latin9", "latin-9"]),
    ]
    var names: [String: String] = [:]
    for (name, labels) in families { for label in labels { names[label] = name } }
    for part in [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16] {
      for label in ["iso-8859-\(part)", "iso8859-\(part)", "iso_8859-\(part)"] { names[label] = "ISO-8859-\(part)" }
    }
    for page in [1250, 1251, 1253, 1255, 1256, 1257, 1258] {
      for label in ["windows-\(page)", "cp\(page)", "x-cp\(page)"] { names[label] = "CP\(page)" }
    }
    return names
  }()

  /// Expects a lowercase label.
  static func isKnown(_ label: String) -> Bool { names[label] != nil }

  /// Expects a lowercase label. Invalid bytes become U+FFFD. Returns `nil` if the label or the C library's table is
  /// unknown.
  static func decode(_ bytes: [UInt8], from label: String) -> String? {
    guard let name = names[label], let converter = iconv_open("UTF-8", name), converter != failed else { return nil }
    defer { iconv_close(converter) }
    var input = bytes
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    var buffer = [CChar](repeating: 0, count: 16 << 10)
    input.withUnsafeMutableBytes { input in
      var start = input.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = input.count
      while left > 0 {
        let error = step(converter, &start, &left, &buffer, into: &result)
        guard error != 0, error != E2BIG, left > 0 else { continue }
        // Skip an invalid byte. At the end, the rest is an incomplete character.
        result += "\u{FFFD}".utf8
        let passed = error == EINVAL ? left : 1
        start = start?.advanced(by: passed)
        left -= passed
      }
      // An encoding without an end mark may still hold back a character.
      var nothing: UnsafeMutablePointer<CChar>?
      _ = step(converter, &nothing, &left, &buffer, into: &result)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static var failed: iconv_t? { iconv_t(bitPattern: -1) }

  /// Converts as much as fits in the buffer. Returns the `errno`; 0 if all was converted.
  private static func step(
    _ converter: iconv_t, _ start: inout UnsafeMutablePointer<CChar>?, _ left: inout Int, _ buffer: inout [CChar],
    into result: inout [UInt8]
  ) -> Int32 {
    var room = buffer.count
    var error: Int32 = 0
    buffer.withUnsafeMutableBufferPointer { buffer in
      var end = buffer.baseAddress
      if iconv(converter, &start, &left, &end, &room) == -1 { error = dray_errno() }
      result += UnsafeRawBufferPointer(buffer).dropLast(room)
    }
    return error
  }
}
