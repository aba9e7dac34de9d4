internal import DrayCore
internal import DrayDocuments

/// A field of an object in an ``APISchema``.
struct APIField: Sendable {
  var name: String
  var schema: APISchema
  var isNeeded: Bool
  var meaning: String

  init(_ name: String, _ schema: APISchema, _ meaning: String, isNeeded: Bool = false) {
    (self.name, self.schema, self.meaning, self.isNeeded) = (name, schema, meaning, isNeeded)
  }
}
