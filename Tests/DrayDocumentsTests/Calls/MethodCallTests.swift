// Calls in XML-RPC: values of every type, and invalid calls.

import Testing

@testable import DrayDocuments

@Suite struct MethodCallTests {
  private static func call(_ value: String) throws -> JSONNode.Value? {
    let text = "<methodCall><methodName>m</methodName><params><param>\(value)</param></params></methodCall>"
    return try MethodCall.parse(Array(text.utf8)).parameters.first?.value
  }

  @Test(
    arguments: [
      ("<value>a</value>", .string("a")), ("<value> a </value>", .string(" a ")), ("<value/>", .string("")),
      ("<value><string>&lt;&#38;&gt;</string></value>", .string("<&>")),
      ("<value><int> -7 </int></value>", .number("-7")),
      ("<value><i4>+7</i4></value>", .number("7")), ("<value><boolean>1</boolean></value>", .bool(true)),
      ("<value><boolean>0</boolean></value>", .bool(false)), ("<value><double>1.50</double></value>", .number("1.5")),
      ("<value><base64>\nAA\n AA</base64></value>", .string("AAAA")), ("<value><nil/></value>", .null),
      ("<value><array><data/></array></value>", .array([])), ("<value><array/></value>", .array([])),
      ("<value><struct/></value>", .object([])),
    ] as [(String, JSONNode.Value)])
  func values(_ text: String, _ value: JSONNode.Value) throws {
    #expect(try Self.call(text) == value)
  }

  @Test func nestedValues() throws {
    let value = try Self.call(
      """
      <value><array><data><value><struct><member><name>a</name><value><int>1</int></value></member>\
      <member><name>a</name><value>2</value></member></struct></value></data></array></value>
      """)
    guard case .array(let elements)? = value else { return #expect(Bool(false), "no array") }
    #expect(elements.first?["a"]?.string == "2")
    #expect(elements.first?.object?.count == 1)
  }

  @Test(arguments: [
    "", "x", "<a/>", "<methodCall/>", "<methodCall><methodName/></methodCall>",
    "<methodCall><methodName>m</methodName>",
    "<methodCall><methodName>m</methodName><params><param/></params></methodCall>",
    "<!DOCTYPE methodCall><methodCall><methodName>m</methodName></methodCall>",
  ])
  func noCalls(_ text: String) {
    #expect(throws: DocumentError.self) { try MethodCall.parse(Array(text.utf8)) }
  }

  @Test(arguments: [
    "<value><int>x</int></value>", "<value><boolean>2</boolean></value>", "<value><double>inf</double></value>",
    "<value><other/></value>", "<value><struct><member><value>1</value></member></struct></value>", "<other/>",
  ])
  func noValues(_ value: String) {
    #expect(throws: DocumentError.self) { try Self.call(value) }
  }

  @Test func depthIsBounded() {
    let deep = String(repeating: "<value><array><data>", count: 100_000)
    #expect(throws: DocumentError.self) { try Self.call(deep) }
  }

  @Test func noParameters() throws {
    let call = try MethodCall.parse(Array("<methodCall><methodName> m </methodName></methodCall>".utf8))
    #expect(call == MethodCall(method: "m", parameters: []))
  }
}
