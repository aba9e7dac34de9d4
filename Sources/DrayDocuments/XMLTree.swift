// XML as a tree, read within bounds: no document type, no entities of its own, no fetch of anything, limited depth and
// count (P13).

internal import DrayCore
internal import Foundation
internal import FoundationXML

/// An element.
final class XMLNode {
  /// The local name behind a fixed prefix of its namespace (``XMLNames``), whatever prefix the document uses.
  let name: String
  /// The attributes by the names that the document uses.
  let attributes: [String: String]
  /// The line that it begins in.
  let line: Int
  fileprivate(set) var children: [XMLNode] = []
  /// The text directly in it.
  fileprivate(set) var text = ""

  init(name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  /// The first child of this name.
  func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }

  /// The children of this name.
  func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

  /// The text of the first child of one of these names that has any, without the blanks around it.
  func text(of names: String...) -> String? {
    for name in names {
      if let text = child(name)?.trimmedText, !text.isEmpty { return text }
    }
    return nil
  }

  /// The text without the blanks around it.
  var trimmedText: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

  /// The URL that relative ones start from inside of this element (XML Base), where `base` is that outside of it.
  func base(on base: RequestURL?) -> RequestURL? {
    value("xml:base").flatMap { DocumentURL.resolve($0, against: base) } ?? base
  }

  /// The value of an attribute, without the blanks around it; `nil` where it is empty.
  func value(_ attribute: String) -> String? {
    let value = attributes[attribute]?.trimmingCharacters(in: .whitespacesAndNewlines)
    return value?.isEmpty ?? true ? nil : value
  }
}

/// Reads XML documents.
enum XMLTree {
  /// Elements inside of each other.
  static let depthLimit = 64
  /// Elements in all.
  static let elementLimit = 200_000

  /// The root of a document.
  /// - Parameter kind: what it is to be, with its article, for errors.
  /// - Throws: ``DocumentError``.
  static func parse(_ text: String, kind: String) throws(DocumentError) -> XMLNode {
    // Control characters that XML forbids are in many feeds, and mean nothing.
    let clean = String(String.UnicodeScalarView(text.unicodeScalars.filter { isAllowed($0) }))
    let prolog = XMLProlog(clean)
    if prolog.hasDocumentType {
      throw DocumentError(
        kind, "it has a document type (<!DOCTYPE>), which may hold entities without end and is not taken",
        line: prolog.line)
    }
    guard prolog.rootName != nil else { throw DocumentError(kind, "there is no XML in it", line: 1) }
    switch XMLTags.fault(in: clean) {
    case .crowded(let line):
      throw DocumentError(kind, "an element has more than \(XMLTags.attributeLimit) attributes", line: line)
    case .endless(let line):
      throw DocumentError(kind, "its XML is broken: what begins here has no end", line: line)
    case nil: break
    }
    let builder = XMLBuilder()
    let parser = XMLParser(data: Data(prolog.withoutDeclaration(clean).utf8))
    parser.shouldResolveExternalEntities = false
    parser.delegate = builder
    // What it returns is not to be relied on: errors that end the walk may come back as success.
    _ = parser.parse()
    if let excess = builder.excess { throw DocumentError(kind, excess, line: parser.lineNumber) }
    guard builder.isWhole, let root = builder.root else {
      let line = builder.errorLine ?? parser.lineNumber
      throw DocumentError(kind, "its XML is broken", line: line > 0 ? line : nil)
    }
    return root
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 ? scalar.value != 0xFFFE && scalar.value != 0xFFFF : "\t\n\r".unicodeScalars.contains(scalar)
  }
}

/// Makes the tree out of what the parser reports.
private final class XMLBuilder: NSObject, XMLParserDelegate {
  private(set) var root: XMLNode?
  /// What there was too much of.
  private(set) var excess: String?
  private(set) var errorLine: Int?
  /// Whether every element that began has ended.
  var isWhole: Bool { stack.isEmpty }
  private var stack: [XMLNode] = []
  /// A title in XHTML, whose text is that of all elements in it (RFC 4287 §3.1.1.3).
  private var title: XMLNode?
  private var names = XMLNames()
  private var count = 0

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    count += 1
    guard count <= XMLTree.elementLimit else {
      return stop(parser, "it has more than \(XMLTree.elementLimit) elements")
    }
    guard stack.count < XMLTree.depthLimit else {
      return stop(parser, "its elements are nested more than \(XMLTree.depthLimit) deep")
    }
    names.enter(attributes)
    let node = XMLNode(name: names.name(of: elementName), attributes: attributes, line: parser.lineNumber)
    if let parent = stack.last { parent.children.append(node) } else { root = node }
    stack.append(node)
    if title == nil, node.name == "atom:title", node.value("type") == "xhtml" { title = node }
  }

  func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
    names.leave()
    let ended = stack.popLast()
    if ended === title { title = nil }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { append(string) }

  func parser(_ parser: XMLParser, foundCDATA block: Data) { append(String(decoding: block, as: UTF8.self)) }

  private func append(_ text: String) {
    stack.last?.text += text
    if let title, title !== stack.last { title.text += text }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    if errorLine == nil { errorLine = parser.lineNumber }
  }

  private func stop(_ parser: XMLParser, _ what: String) {
    excess = excess ?? what
    parser.abortParsing()
  }
}
