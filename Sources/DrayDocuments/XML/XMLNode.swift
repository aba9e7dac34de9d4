// An element of an XML document.

internal import DrayCore

final class XMLNode {
  /// The local name after the fixed prefix of its namespace (``XMLNames``), not the document's prefix.
  let name: String
  /// By their names in the document.
  let attributes: [String: String]
  let line: Int
  var children: [XMLNode] = []
  /// Directly in the element.
  var text = ""

  init(name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }

  func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

  /// Of the first child that has one of these names and any text.
  func text(of names: String...) -> String? {
    for name in names {
      if let text = child(name)?.trimmedText, !text.isEmpty { return text }
    }
    return nil
  }

  var trimmedText: String { XMLNode.trimmed(text) }

  private static func trimmed(_ text: String) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }

  /// Returns the base URL inside this element (XML Base), given the one outside.
  func base(on base: RequestURL?) -> RequestURL? {
    value("xml:base").flatMap { DocumentURL.resolve($0, against: base) } ?? base
  }

  /// `nil` if it is empty.
  func value(_ attribute: String) -> String? {
    let value = attributes[attribute].map(XMLNode.trimmed)
    return value?.isEmpty ?? true ? nil : value
  }
}
