// The schemas of the values in the API. The same definition serves to check what clients send, and to describe it in
// the OpenAPI document.

internal import DrayCore
internal import DrayDocuments

/// The schema of a value, in the terms of JSON Schema.
indirect enum APISchema: Sendable {
  /// A string of at most `most` characters, which must not be empty if `isNeeded` is true.
  case text(most: Int = APISchema.longText, isNeeded: Bool = false)
  case flag
  case yes
  case integer(ClosedRange<Int64>)
  /// A number, which occurs only in answers.
  case number
  case choice([String])
  case list(APISchema, least: Int = 0, most: Int? = nil)
  /// An object with these fields; if `isClosed`, it has no other fields.
  case object([APIField], isClosed: Bool = true)
  case nullable(APISchema)
  /// A value that matches at least one of these schemas.
  case either([APISchema])
  case nothing
  /// A schema that the OpenAPI document defines under this name. Such a value is not checked here.
  case named(String)

  /// The maximum length of a text, except for a text that is a whole document.
  static let longText = 65_536
  static let id = APISchema.integer(1...Int64.max)
  static let ids = APISchema.list(.id, least: 1, most: 100_000)
}

// MARK: Checking

extension APISchema {
  /// Checks a value that a client sent.
  /// - Parameter place: How an error names the value.
  /// - Throws: ``APIFailure`` that names the place of the error, or the unknown field.
  func check(_ node: JSONNode, _ place: String) throws(APIFailure) {
    switch self {
    case .text(let most, let isNeeded):
      guard let text = node.string else { throw wrong(node, place) }
      guard !isNeeded || !text.isEmpty else { throw .bad("\(place) is empty") }
      guard text.unicodeScalars.count <= most else { throw .bad("\(place) is longer than \(most) characters") }
    case .flag: guard case .bool = node.value else { throw wrong(node, place) }
    case .yes: guard node.isTrue else { throw .bad("\(place) must be true") }
    case .integer(let range):
      guard case .number = node.value else { throw wrong(node, place) }
      guard let number = node.integer, range.contains(number) else {
        throw .bad("\(place) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
    case .number: guard case .number = node.value else { throw wrong(node, place) }
    case .choice(let words):
      guard let text = node.string, words.contains(text) else {
        throw .bad("\(place) must be \(kind)")
      }
    case .list(let element, let least, let most):
      guard let elements = node.array else { throw wrong(node, place) }
      guard elements.count >= least else { throw .bad("\(place) is empty") }
      guard elements.count <= most ?? .max else { throw .bad("\(place) has more than \(most ?? 0) elements") }
      for (index, one) in elements.enumerated() { try element.check(one, "\(place)[\(index)]") }
    case .object(let fields, let isClosed): try APISchema.check(fields, isClosed, node, place)
    case .nullable(let schema): if node.value != .null { try schema.check(node, place) }
    case .either(let schemas): try APISchema.check(any: schemas, node, place)
    case .nothing: guard node.value == .null else { throw wrong(node, place) }
    case .named: break
    }
  }

  private static func check(
    _ fields: [APIField], _ isClosed: Bool, _ node: JSONNode, _ place: String
  ) throws(APIFailure) {
    guard let members = node.object else { throw .bad("\(place) is \(node.kind), but must be an object") }
    for member in members {
      let name = place == APISchema.body ? member.name : "\(place).\(member.name)"
      guard let field = fields.first(where: { $0.name == member.name }) else {
        if !isClosed { continue }
        if let refusal = ForbiddenField.refusal(of: member.name, at: name.start(200)) { throw refusal }
        throw .bad(
          "\(TextSafety.escaped(name.start(200))) is not a field",
          advice: NearestName.advice(member.name, among: fields.map(\.name)))
      }
      try field.schema.check(member.value, name)
    }
    for field in fields where field.isNeeded && node[field.name] == nil {
      throw .bad("\(field.name) is missing from \(place)")
    }
  }

  /// Checks whether a value matches one of several schemas. If it matches none, the error is that of the schema with
  /// the most required fields present.
  private static func check(any schemas: [APISchema], _ node: JSONNode, _ place: String) throws(APIFailure) {
    var best: (score: Int, failure: APIFailure)?
    for schema in schemas {
      do throws(APIFailure) {
        return try schema.check(node, place)
      } catch {
        let score = error.code == .forbidden ? .max : schema.likeness(to: node)
        if score > best?.score ?? 0 { best = (score, error) }
      }
    }
    if let best { throw best.failure }
    let needed = schemas.flatMap(\.needed)
    guard node.object != nil, !needed.isEmpty else {
      throw .bad("\(place) is \(node.kind), but must be \(schemas.map(\.kind).joined(separator: " or "))")
    }
    throw .bad("\(place) must have \(needed.joined(separator: " or "))")
  }

  private var needed: [String] {
    if case .object(let fields, _) = self { fields.filter(\.isNeeded).map(\.name) } else { [] }
  }

  /// Returns how many of the schema's required fields are present; 0 if the value is not an object.
  private func likeness(to node: JSONNode) -> Int {
    needed.count { node[$0] != nil }
  }

  /// How an error names the body of a request. An error in a field of the body names only that field.
  static let body = "the body"

  private func wrong(_ node: JSONNode, _ place: String) -> APIFailure {
    .bad("\(place) is \(node.kind), but must be \(kind)")
  }

  private var kind: String {
    switch self {
    case .text: "a string"
    case .flag: "true or false"
    case .yes: "true"
    case .nothing: "null"
    case .integer: "a whole number"
    case .number: "a number"
    case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: " or ")
    case .list: "an array"
    case .object, .named: "an object"
    case .nullable(let schema): "\(schema.kind) or null"
    case .either(let schemas): schemas.map(\.kind).joined(separator: " or ")
    }
  }
}
