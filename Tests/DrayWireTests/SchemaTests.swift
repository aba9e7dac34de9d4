// The checker of schemas: it must be able to fail.

import JSONSchema
import Testing

@Suite("Schema checker")
struct SchemaTests {
  private func problems(_ schema: String, _ document: String, _ mode: JSONSchema.Mode = .open) throws -> [String] {
    try JSONSchema(schema).problems(JSONValue(parsing: document), mode)
  }

  /// A schema, a document that it allows, and one that it refuses.
  private static let table: [(String, String, String)] = [
    (#"{"type": "string"}"#, #""a""#, "1"), (#"{"type": "integer"}"#, "1.0", "1.5"),
    (#"{"type": "number"}"#, "1.5", "true"), (#"{"type": "boolean"}"#, "false", "0"),
    (#"{"type": ["string", "null"]}"#, "null", "[]"), (#"{"type": "array"}"#, "[]", "{}"),
    (#"{"type": "object"}"#, "{}", "null"), (#"{"enum": ["a", 1]}"#, "1", "2"), (#"{"const": "a"}"#, #""a""#, #""b""#),
    (#"{"minimum": 0}"#, "0", "-1"), (#"{"maximum": 0}"#, "0", "1"),
    (#"{"pattern": "^[a-z]+=$"}"#, #""ab=""#, #""ab=c""#),
    (#"{"required": ["a"]}"#, #"{"a": null}"#, #"{"b": 1}"#),
    (#"{"properties": {"a": {"type": "null"}}}"#, #"{"a": null, "b": 1}"#, #"{"a": 1}"#),
    (#"{"properties": {"a": true}, "additionalProperties": false}"#, #"{"a": 1}"#, #"{"a": 1, "b": 1}"#),
    (#"{"items": {"type": "null"}}"#, "[null, null]", "[null, 1]"), (#"{"minItems": 2}"#, "[1, 2]", "[1]"),
    (#"{"prefixItems": [{"type": "null"}], "items": false}"#, "[null]", "[null, 1]"),
    (#"{"anyOf": [{"type": "null"}, {"minimum": 1}]}"#, "2", "0"),
    (#"{"oneOf": [{"type": "number"}, {"minimum": 1}]}"#, "0", "2"),
    (##"{"$defs": {"a": {"type": "null"}}, "$ref": "#/$defs/a"}"##, "null", "1"),
    (
      ##"{"$defs": {"a": {"required": ["x"]}}, "items": {"$ref": "#/$defs/a", "minimum": 1}}"##, ##"[{"x": 1}]"##,
      "[{}]"
    ),
  ]

  @Test(
    "each keyword allows and refuses the right values",
    arguments: table)
  func keyword(_ schema: String, _ valid: String, _ invalid: String) throws {
    #expect(try problems(schema, valid) == [])
    #expect(try problems(schema, invalid).count == 1)
  }

  @Test("closed: an undeclared member is refused at any depth; a branch declares members, too")
  func closed() throws {
    let schema = """
      {"$defs": {"a": {"properties": {"a": {"items": {"properties": {"b": true}}}}}},
       "$ref": "#/$defs/a", "oneOf": [{"properties": {"k": {"const": 1}, "x": true}, "required": ["k"]}, {"type": "null"}]}
      """
    #expect(try problems(schema, #"{"a": [{"b": 1}], "k": 1, "x": 2}"#, .closed) == [])
    let wrong = #"{"a": [{"b": 1}, {"c": 1}], "k": 1, "y": 2}"#
    #expect(try problems(schema, wrong) == [])
    #expect(
      try problems(schema, wrong, .closed)
        == ["$.a[1].c: the schema does not name it", "$.y: the schema does not name it"])
  }

  @Test(
    "a schema with unsupported keywords is refused",
    arguments: [
      ##"{"multipleOf": 3}"##, ##"{"items": {"format": "uri"}}"##, ##"{"$ref": "#/$defs/a"}"##,
      ##"{"$ref": "other.json"}"##,
      #"{"type": "text"}"#, #"{"type": []}"#, #"{"enum": []}"#, #"{"required": "a"}"#, #"{"pattern": "("}"#,
      #"{"properties": {"a": 1}}"#, #"{"anyOf": []}"#, #"{"minimum": "1"}"#, #"{"items": {"$defs": {}}}"#,
      #"{"$schema": "http://json-schema.org/draft-07/schema#"}"#, "[]",
    ])
  func malformed(_ schema: String) {
    #expect(throws: JSONSchema.Malformed.self) { try JSONSchema(schema) }
  }
}
