// Reads XML-RPC calls (xmlrpc.com/spec): a method's name and parameters, as JSON values.

package struct MethodCall: Sendable, Equatable {
  package var method: String
  /// The parameters, in order. Bytes (`<base64>`) stay encoded text, as in JSON.
  package var parameters: [JSONNode]

  private static let kind = "a call"

  /// Throws ``DocumentError`` if it is no call, or has a value of an unknown type.
  package static func parse(_ bytes: [UInt8]) throws(DocumentError) -> MethodCall {
    let root = try XMLTree.parse(try DocumentText.xml(bytes, kind: kind), kind: kind)
    guard root.name == "methodCall", let method = root.text(of: "methodName") else {
      throw DocumentError(kind, "it is not a <methodCall> with a <methodName>", line: root.line)
    }
    var parameters: [JSONNode] = []
    for parameter in root.child("params")?.all("param") ?? [] {
      guard let value = parameter.child("value") else {
        throw DocumentError(kind, "a <param> has no <value>", line: parameter.line)
      }
      parameters.append(try node(value))
    }
    return MethodCall(method: method, parameters: parameters)
  }

  /// Returns the typed content of a `<value>`, or its own text.
  private static func node(_ value: XMLNode) throws(DocumentError) -> JSONNode {
    guard let typed = value.children.first else { return JSONNode(value: .string(value.text), line: value.line) }
    guard let read = types[typed.name], let content = try read(typed) else {
      throw DocumentError(kind, "a <\(typed.name)> is not a value that can be read", line: typed.line)
    }
    return JSONNode(value: content, line: value.line)
  }

  private typealias Read = @Sendable (XMLNode) throws(DocumentError) -> JSONNode.Value?

  private static let types: [String: Read] = [
    "string": text, "dateTime.iso8601": text, "base64": base64, "int": integer, "i4": integer, "i8": integer,
    "double": double, "boolean": boolean, "nil": { _ in .null }, "array": array, "struct": members,
  ]

  private static let text: Read = { .string($0.text) }
  private static let base64: Read = { .string(String($0.text.filter { !$0.isWhitespace })) }
  private static let integer: Read = { node in Int64(node.trimmedText).map { .number("\($0)") } }
  private static let double: Read = { node in
    Double(node.trimmedText).flatMap { $0.isFinite ? .number("\($0)") : nil }
  }
  private static let boolean: Read = { node in
    switch node.trimmedText {
    case "1": .bool(true)
    case "0": .bool(false)
    default: nil
    }
  }

  @Sendable private static func array(_ node: XMLNode) throws(DocumentError) -> JSONNode.Value? {
    var elements: [JSONNode] = []
    for value in node.child("data")?.all("value") ?? [] { elements.append(try self.node(value)) }
    return .array(elements)
  }

  /// Reads a struct. Among members with the same name the last one counts.
  @Sendable private static func members(_ node: XMLNode) throws(DocumentError) -> JSONNode.Value? {
    var members: [JSONNode.Member] = []
    var places: [String: Int] = [:]
    for member in node.all("member") {
      guard let name = member.child("name")?.text, let value = member.child("value") else { return nil }
      let read = JSONNode.Member(name: name, value: try self.node(value))
      if let place = places[name] {
        members[place] = read
      } else {
        places[name] = members.count
        members.append(read)
      }
    }
    return .object(members)
  }
}
