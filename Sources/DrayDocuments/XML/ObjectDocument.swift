// Reads the answers of object stores as elements.

package import DrayCore

package enum ObjectDocument {
  /// `nil` if it is no well-formed XML.
  package static func parse(_ bytes: [UInt8]) -> S3Element? {
    guard let text = try? DocumentText.xml(bytes, kind: "an answer of S3"),
      let root = try? XMLTree.parse(text, kind: "an answer of S3")
    else { return nil }
    return element(root)
  }

  private static func element(_ node: XMLNode) -> S3Element {
    // Namespaces are ignored: the protocol has only one, which servers spell differently.
    let name = node.name.split(separator: "}").last.flatMap { $0.split(separator: ":").last } ?? ""
    return S3Element(String(name), node.trimmedText, node.children.map(element))
  }
}
