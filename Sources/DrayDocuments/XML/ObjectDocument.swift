// Reads the answers of object stores as elements.

public import DrayCore

/// Reads the documents of the S3 protocol.
public enum ObjectDocument {
  /// Returns the root of a document; `nil` if it is no well-formed XML.
  public static func parse(_ bytes: [UInt8]) -> S3Element? {
    guard let text = try? DocumentText.xml(bytes, kind: "an answer of S3"),
      let root = try? XMLTree.parse(text, kind: "an answer of S3")
    else { return nil }
    return element(root)
  }

  private static func element(_ node: XMLNode) -> S3Element {
    // Ignore namespaces: the protocol has only one, and servers spell it differently.
    let name = node.name.split(separator: "}").last.flatMap { $0.split(separator: ":").last } ?? ""
    return S3Element(String(name), node.trimmedText, node.children.map(element))
  }
}
