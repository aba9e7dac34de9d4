// Names from outside: any input results in one component inside the directory (P6).

@testable import DrayCore
@testable import DrayDocuments

extension FuzzTarget {
  private static let nameWords = [
    "..", "/", "\\", ".", "~", "-", "C:", "CON", "nul.txt", "com1", ".tar.gz", " ", "%2F", "%5C", "%2e", "\u{0}",
    "\u{202E}", "\u{200D}", "é", "e\u{301}", "😀", "ſ", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  ]

  static let contentDisposition = FuzzTarget(
    "Content-Disposition",
    words: nameWords + ["attachment", ";", "filename", "filename*", "=", "\"", "UTF-8''", "iso-8859-1'en'", "inline"],
    seeds: [
      "attachment; filename=\"a \\\"b\\\".txt\"", "attachment; filename*=UTF-8''%e2%82%ac%20rates.zip; filename=x",
      "filename=C:\\dir\\x.exe", "inline; filename=\"..\\..\\x\"",
    ]
  ) { (text: String) throws(Violation) in
    let head = ResponseHead(status: 200, fields: [HeaderField("Content-Disposition", text)])
    _ = ContentDisposition.isAttachment(head)
    guard let name = ContentDisposition.fileName([text]) else { return }
    try hold(!name.isEmpty, "no name is empty")
    if let safe = FileName.safe(name) { try holdName(safe, FileName.limit) }
  }

  static let contentDispositionRoundTrip = FuzzTarget(
    "Content-Disposition, written", words: nameWords, seeds: ["plain.txt", "a \"b\" c.txt", "é.zip"]
  ) { (text: String) throws(Violation) in
    guard !text.isEmpty else { return }
    let encoded = String(decoding: PercentEncoding.strictlyEncoded(Array(text.utf8)), as: UTF8.self)
    try holdSame(
      ContentDisposition.fileName(["attachment; filename=\"x\"; filename*=UTF-8''\(encoded)"]), text,
      "filename* is what was written")
  }

  static let fileName = FuzzTarget(
    "names of files", words: nameWords, seeds: ["report.pdf", "a/b/c.tar.gz", "../../etc/passwd", ".bashrc", "x. "],
    rounds: 1500
  ) { (text: String) throws(Violation) in
    for limit in [FileName.limit, 64, 24] {
      guard let name = FileName.safe(text, limit: limit) else { continue }
      try holdName(name, limit)
      try holdSame(FileName.safe(name, limit: limit), name, "a safe name stays as it is")
    }
    for name in [FileName.safe(text), FileName.fromURLPath(text), FileName.fromURLPath("/\(text)")] {
      guard let name else { continue }
      try holdName(name, FileName.limit)
      for n in [1, 2, 99_999] { try holdName(FileName.numbered(name, n)) }
    }
  }

  static let documentPath = FuzzTarget(
    "paths in documents", words: nameWords, seeds: ["a/b.txt", "../x", "/etc/passwd", "a//b", "dir/sub/file.tar.gz"],
    rounds: 1000
  ) { (text: String) throws(Violation) in
    guard let path = DocumentPath.safe(text) else { return }
    let parts = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    try hold((1...32).contains(parts.count), "a path has few components")
    for part in parts { try holdName(String(String.UnicodeScalarView(part)), FileName.limit) }
    try holdSame(DocumentPath.safe(path), path, "a safe path stays as it is")
  }

  static let textSafety = FuzzTarget(
    "text for terminals", words: ["\u{1B}[31m", "\u{9B}", "\u{202E}", "\u{2028}", "\u{7F}", "\r", "\u{E0001}"],
    seeds: ["plain", "a\u{1B}]0;title\u{7}b", "\u{200F}x"].map { Array($0.utf8) }, rounds: 1000
  ) { (bytes: [UInt8]) throws(Violation) in
    let text = String(decoding: bytes, as: UTF8.self)
    try holdPrintable(TextSafety.escaped(utf8: bytes), "escaped bytes")
    try holdPrintable(TextSafety.escaped(text), "escaped text")
    try holdPrintable(quoted(text), "quoted text")
    try hold(quoted(text).unicodeScalars.count <= 60 * 12, "quoted text is short")
    try holdSame(TextSafety.escaped(TextSafety.escaped(text)), TextSafety.escaped(text), "escaped text stays as it is")
    var json = JSONText()
    json.beginObject()
    json.field(text, text)
    json.endObject()
    try holdPrintable(json.text, "JSON")
    let node: JSONNode
    do throws(DocumentError) { node = try JSONNode.parse(json.bytes, kind: "it") } catch {
      throw Violation("JSON reads what it writes: \(error)")
    }
    try holdSame(node.object?.first?.name, text, "a name comes back")
    try holdSame(node.object?.first?.value.string, text, "a value comes back")
  }
}
