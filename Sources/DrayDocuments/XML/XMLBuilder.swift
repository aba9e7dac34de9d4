// Builds the tree from the parser's events.

/// A tree that grows with each event of the parser.
final class XMLBuilder {
  private(set) var root: XMLNode?
  /// The exceeded limit. Nothing is added after it, although Expat still reports the rest of the same tag.
  private(set) var excess: String?
  /// Whether every element is closed.
  var isWhole: Bool { stack.isEmpty }
  private var stack: [XMLNode] = []
  /// An XHTML title. Its text includes the text of all elements in it (RFC 4287 §3.1.1.3).
  private var title: XMLNode?
  private var names = XMLNames()
  private var count = 0

  /// Returns `false` if the document exceeds a limit.
  func start(_ name: String, _ attributes: [String: String], line: Int) -> Bool {
    count += 1
    guard attributes.count <= XMLTree.attributeLimit else {
      return refuse("an element has more than \(XMLTree.attributeLimit) attributes")
    }
    guard count <= XMLTree.elementLimit else { return refuse("it has more than \(XMLTree.elementLimit) elements") }
    guard stack.count < XMLTree.depthLimit else {
      return refuse("its elements are nested more than \(XMLTree.depthLimit) deep")
    }
    names.enter(attributes)
    let node = XMLNode(name: names.name(of: name), attributes: attributes, line: line)
    if let parent = stack.last { parent.children.append(node) } else { root = node }
    stack.append(node)
    if title == nil, node.name == "atom:title", node.value("type") == "xhtml" { title = node }
    return true
  }

  func end() {
    guard excess == nil else { return }
    names.leave()
    if stack.popLast() === title { title = nil }
  }

  func append(_ text: String) {
    guard excess == nil else { return }
    stack.last?.text += text
    if let title, title !== stack.last { title.text += text }
  }

  private func refuse(_ what: String) -> Bool {
    excess = what
    return false
  }
}
