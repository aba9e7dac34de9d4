// Reads XML as a tree within limits: depth, elements and attributes are bounded, and a document type is refused, so
// there are no custom or external entities (P13).

enum XMLTree {
  static let depthLimit = 64
  static let elementLimit = 200_000
  static let attributeLimit = 1000

  /// - Parameters:
  ///   - kind: The expected kind with its article, for errors.
  ///   - mending: Whether to accept HTML entities and a lone `&`.
  /// - Throws: ``DocumentError``.
  static func parse(_ text: String, kind: String, mending: Bool = false) throws(DocumentError) -> XMLNode {
    guard XMLReader.isAvailable else {
      throw DocumentError(kind, "its XML cannot be read: this program was built without the package trait Documents")
    }
    // Control characters that XML forbids occur in many feeds and have no meaning.
    var clean = String(String.UnicodeScalarView(text.unicodeScalars.filter { isAllowed($0) }))
    clean = withoutDeclaration(clean)
    if mending { clean = XMLEntities.mended(clean) }
    let prolog = XMLProlog(clean)
    if prolog.hasDocumentType {
      throw DocumentError(
        kind, "it has a document type (<!DOCTYPE>), which may hold unbounded entities and is not accepted",
        line: prolog.line)
    }
    guard prolog.rootName != nil else { throw DocumentError(kind, "it contains no XML", line: 1) }
    let builder = XMLBuilder()
    let fault = XMLReader.read(clean, into: builder)
    if let excess = builder.excess { throw DocumentError(kind, excess, line: fault?.line) }
    if fault?.isUnclosed == true {
      throw DocumentError(kind, "its XML is malformed: what begins here is not closed", line: fault?.line)
    }
    guard builder.isWhole, let root = builder.root else {
      throw DocumentError(kind, "its XML is malformed", line: fault?.line)
    }
    return root
  }

  /// Replaces the XML declaration by spaces: a declaration must not follow a blank line, and is irrelevant once the
  /// text is decoded.
  private static func withoutDeclaration(_ text: String) -> String {
    let start = text.utf8.prefix { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
    guard !start.isEmpty, text.utf8[start.endIndex...].starts(with: "<?xml ".utf8),
      let end = text[start.endIndex...].firstRange(of: "?>")?.upperBound
    else { return text }
    let blank = text[..<end].unicodeScalars.map { $0 == "\n" ? $0 : " " }
    return String(String.UnicodeScalarView(blank)) + text[end...]
  }

  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 ? scalar.value != 0xFFFE && scalar.value != 0xFFFF : "\t\n\r".unicodeScalars.contains(scalar)
  }
}
