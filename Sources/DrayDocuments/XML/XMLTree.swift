// XML as a tree, read within limits: no document type, so no entities of its own and nothing that is fetched; limited depth,
// elements and attributes (P13).

/// Reads XML documents.
enum XMLTree {
  /// The deepest nesting of elements.
  static let depthLimit = 64
  /// The most elements.
  static let elementLimit = 200_000
  /// Attributes of one element.
  static let attributeLimit = 1000

  /// The root of a document.
  /// - Parameter kind: the expected kind, with its article, for errors.
  /// - Throws: ``DocumentError``.
  static func parse(_ text: String, kind: String) throws(DocumentError) -> XMLNode {
    // Control characters that XML forbids occur in many feeds, and have no meaning.
    let clean = String(String.UnicodeScalarView(text.unicodeScalars.filter { isAllowed($0) }))
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

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 ? scalar.value != 0xFFFE && scalar.value != 0xFFFF : "\t\n\r".unicodeScalars.contains(scalar)
  }
}
