// An element of an XML document.

internal import DrayCore

/// An element.
final class XMLNode {
  /// The local name after a fixed prefix of its namespace (``XMLNames``), whatever prefix the document uses.
  let name: String
  /// The attributes by the names that the document uses.
  let attributes: [String: String]
  /// The line that it begins in.
  let line: Int
  var children: [XMLNode] = []
  /// The text directly in it.
  var text = ""

  init(name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  /// The first child of this name.
  func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }

  /// The children of this name.
  func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

  /// The text of the first child of one of these names that has any, without the spaces around it.
  func text(of names: String...) -> String? {
    for name in names {
      if let text = child(name)?.trimmedText, !text.isEmpty { return text }
    }
    return nil
  }

  /// The text without the spaces around it.
  var trimmedText: String { XMLNode.trimmed(text) }

  private static func trimmed(_ text: String) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }

  /// The base URL inside of this element (XML Base), where `base` is that outside of it.
  func base(on base: RequestURL?) -> RequestURL? {
    value("xml:base").flatMap { DocumentURL.resolve($0, against: base) } ?? base
  }

  /// The value of an attribute, without the spaces around it; `nil` if it is empty.
  func value(_ attribute: String) -> String? {
    let value = attributes[attribute].map(XMLNode.trimmed)
    return value?.isEmpty ?? true ? nil : value
  }
}
