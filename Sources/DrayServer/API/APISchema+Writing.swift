// Writes schemas as JSON Schema (2020-12), as OpenAPI 3.1 requires.

internal import DrayCore

extension APISchema {
  func write(to json: inout JSONText) {
    json.beginObject()
    writeMembers(to: &json)
    json.endObject()
  }

  private func writeMembers(to json: inout JSONText) {
    switch self {
    case .text(let most, let isNeeded):
      json.field("type", "string")
      if isNeeded { json.field("minLength", 1) }
      json.field("maxLength", most)
    case .flag: json.field("type", "boolean")
    case .yes: json.field("const", true)
    case .integer(let range):
      json.field("type", "integer")
      if range.lowerBound != .min { json.field("minimum", range.lowerBound) }
      if range.upperBound != .max { json.field("maximum", range.upperBound) } else { json.field("format", "int64") }
    case .number: json.field("type", "number")
    case .choice(let words):
      json.field("type", "string")
      json.key("enum")
      json.beginArray()
      for word in words { json.value(word) }
      json.endArray()
    case .list(let element, let least, let most):
      json.field("type", "array")
      json.key("items")
      element.write(to: &json)
      if least > 0 { json.field("minItems", least) }
      if let most { json.field("maxItems", most) }
    case .object(let fields, let isClosed): APISchema.write(fields, isClosed, to: &json)
    case .nullable(let schema): APISchema.either([schema, .nothing]).writeMembers(to: &json)
    case .either(let schemas):
      json.key("anyOf")
      json.beginArray()
      for schema in schemas { schema.write(to: &json) }
      json.endArray()
    case .nothing: json.field("type", "null")
    case .named(let name): json.field("$ref", "#/components/schemas/\(name)")
    }
  }

  private static func write(_ fields: [APIField], _ isClosed: Bool, to json: inout JSONText) {
    json.field("type", "object")
    json.key("properties")
    json.beginObject()
    for field in fields {
      json.key(field.name)
      json.beginObject()
      json.field("description", field.meaning)
      // An object with a reference may also have a description (JSON Schema 2020-12).
      field.schema.writeMembers(to: &json)
      json.endObject()
    }
    json.endObject()
    let needed = fields.filter(\.isNeeded)
    if !needed.isEmpty {
      json.key("required")
      json.beginArray()
      for field in needed { json.value(field.name) }
      json.endArray()
    }
    if isClosed { json.field("additionalProperties", false) }
  }
}
