// JSON Schema (2020-12), as far as dray's own schema needs it. An unknown keyword is refused when the schema is read,
// so that none is skipped silently.

import Foundation

/// A schema that documents can be checked against.
public struct JSONSchema: Sendable {
  /// An error in a schema.
  public struct Malformed: Error, CustomStringConvertible {
    /// The error and its place.
    public let description: String
  }

  /// How strict a check is.
  public enum Mode: Sendable {
    /// By the standard, members that the schema does not name are allowed.
    case open
    /// Members that the schema does not name are refused.
    case closed
  }

  private let root: JSONValue

  /// Reads a schema.
  /// - Throws: `Malformed` for an unknown keyword, an invalid value of a keyword, or a dangling `$ref`.
  public init(_ text: String) throws {
    root = try JSONValue(parsing: text)
    try check(root, at: "#")
  }

  /// The names of the definitions.
  public var definitions: [String] { (root["$defs"]?.members ?? [:]).keys.sorted() }

  /// The names of all properties of the schema, or of one of its definitions, at any depth.
  public func properties(of definition: String? = nil) -> Set<String> {
    var names: Set<String> = []
    func collect(_ value: JSONValue) {
      if let properties = value["properties"]?.members { names.formUnion(properties.keys) }
      for member in value.members.map({ Array($0.values) }) ?? value.elements ?? [] { collect(member) }
    }
    collect(definition.flatMap { root["$defs"]?[$0] } ?? root)
    return names
  }

  /// The values that the schema allows at a path of keywords, such as `$defs/job/properties/state/enum`.
  public func value(_ path: String) -> JSONValue? {
    path.split(separator: "/").reduce(JSONValue?.some(root)) { $0?[String($1)] }
  }

  /// The errors of a document, one line each; empty if it is valid.
  /// - Parameter definition: The definition that the document must match; `nil` is the schema itself.
  public func problems(_ document: JSONValue, as definition: String? = nil, _ mode: Mode = .open) -> [String] {
    let schema = definition.map { JSONValue.object(["$ref": .string("#/$defs/\($0)")]) } ?? root
    return instance(document, schema, "$", mode)
  }

  // MARK: The check of a document

  /// A schema's result for one place of a document.
  private struct Verdict {
    var problems: [String] = []
    /// The members that the schema has named.
    var named: Set<String> = []

    mutating func add(_ other: Verdict) {
      problems += other.problems
      named.formUnion(other.named)
    }
  }

  private func instance(_ document: JSONValue, _ schema: JSONValue, _ place: String, _ mode: Mode) -> [String] {
    let verdict = judge(document, schema, place, mode)
    guard mode == .closed, let members = document.members else { return verdict.problems }
    let unknown = Set(members.keys).subtracting(verdict.named).sorted()
    return verdict.problems + unknown.map { "\(place).\($0): the schema does not name it" }
  }

  private func judge(_ document: JSONValue, _ schema: JSONValue, _ place: String, _ mode: Mode) -> Verdict {
    guard let keywords = schema.members else {
      return schema == .bool(false) ? Verdict(problems: ["\(place): nothing may be here"]) : Verdict()
    }
    var verdict = Verdict()
    if let name = keywords["$ref"]?.string, let target = resolve(name) {
      verdict.add(judge(document, target, place, mode))
    }
    verdict.problems += scalar(document, keywords).map { "\(place): \($0)" }
    if let members = document.members { verdict.add(object(members, keywords, place, mode)) }
    if let elements = document.elements { verdict.problems += array(elements, keywords, place, mode) }
    for word in ["anyOf", "oneOf"] {
      guard let branches = keywords[word]?.elements else { continue }
      verdict.add(choice(document, branches, place, mode, isExclusive: word == "oneOf"))
    }
    return verdict
  }

  private func choice(
    _ document: JSONValue, _ branches: [JSONValue], _ place: String, _ mode: Mode, isExclusive: Bool
  ) -> Verdict {
    let verdicts = branches.map { judge(document, $0, place, mode) }
    var valid = Verdict()
    for verdict in verdicts where verdict.problems.isEmpty { valid.add(verdict) }
    let count = verdicts.count { $0.problems.isEmpty }
    if count == 0 {
      let nearest = verdicts.min { $0.problems.count < $1.problems.count }?.problems ?? []
      valid.problems.append("\(place): none of \(branches.count) fits; the nearest: \(nearest.joined(separator: "; "))")
    } else if isExclusive, count > 1 {
      valid.problems.append("\(place): \(count) of \(branches.count) fit, and one may")
    }
    return valid
  }

  private func scalar(_ document: JSONValue, _ keywords: [String: JSONValue]) -> [String] {
    var problems: [String] = []
    if let type = keywords["type"] {
      let names = (type.elements ?? [type]).compactMap(\.string)
      if !names.contains(where: { JSONSchema.isOfType($0, document) }) {
        problems.append("it is \(document), and must be \(names.joined(separator: " or "))")
      }
    }
    if let values = keywords["enum"]?.elements, !values.contains(document) {
      problems.append("\(document) is not one of \(values)")
    }
    if let value = keywords["const"], value != document { problems.append("it is \(document), and must be \(value)") }
    if let least = keywords["minimum"]?.number, let number = document.number, number < least {
      problems.append("\(number) is less than \(least)")
    }
    if let most = keywords["maximum"]?.number, let number = document.number, number > most {
      problems.append("\(number) is more than \(most)")
    }
    if let pattern = keywords["pattern"]?.string, let string = document.string,
      string.range(of: pattern, options: .regularExpression) == nil
    {
      problems.append("\(string) does not match \(pattern)")
    }
    return problems
  }

  private func object(
    _ members: [String: JSONValue], _ keywords: [String: JSONValue], _ place: String, _ mode: Mode
  ) -> Verdict {
    var verdict = Verdict()
    for name in (keywords["required"]?.elements ?? []).compactMap(\.string) where members[name] == nil {
      verdict.problems.append("\(place): \(name) is missing")
    }
    for (name, schema) in (keywords["properties"]?.members ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let value = members[name] else { continue }
      verdict.named.insert(name)
      verdict.problems += instance(value, schema, "\(place).\(name)", mode)
    }
    if let schema = keywords["additionalProperties"] {
      let others = Set(members.keys).subtracting((keywords["properties"]?.members ?? [:]).keys)
      for name in others.sorted() {
        guard let value = members[name] else { continue }
        verdict.named.insert(name)
        verdict.problems += instance(value, schema, "\(place).\(name)", mode)
      }
    }
    return verdict
  }

  private func array(
    _ elements: [JSONValue], _ keywords: [String: JSONValue], _ place: String, _ mode: Mode
  ) -> [String] {
    var problems: [String] = []
    if let least = keywords["minItems"]?.number, Double(elements.count) < least {
      problems.append("\(place): \(elements.count) elements are fewer than \(Int(least))")
    }
    let first = keywords["prefixItems"]?.elements ?? []
    for (index, element) in elements.enumerated() {
      guard let schema = index < first.count ? first[index] : keywords["items"] else { continue }
      problems += instance(element, schema, "\(place)[\(index)]", mode)
    }
    return problems
  }

  private static func isOfType(_ name: String, _ document: JSONValue) -> Bool {
    switch (name, document) {
    case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .string), ("array", .array),
      ("object", .object):
      true
    case ("integer", .number(let number)): number.rounded() == number
    default: false
    }
  }

  private func resolve(_ name: String) -> JSONValue? {
    let prefix = "#/$defs/"
    return name.hasPrefix(prefix) ? root["$defs"]?[String(name.dropFirst(prefix.count))] : nil
  }

  // MARK: The check of the schema

  private static let types: Set<String> = ["null", "boolean", "number", "string", "array", "object", "integer"]

  private func check(_ schema: JSONValue, at place: String) throws {
    if case .bool = schema { return }
    guard let keywords = schema.members else { throw Malformed(description: "\(place): it is not a schema") }
    for (word, value) in keywords {
      let here = "\(place)/\(word)"
      if try !check(word, value, here) { throw Malformed(description: "\(here): the value cannot be that of \(word)") }
    }
  }

  /// Checks one keyword and the schemas in it.
  /// - Returns: Whether the value is valid for the keyword.
  private func check(_ word: String, _ value: JSONValue, _ place: String) throws -> Bool {
    switch word {
    case "$schema": return value == .string("https://json-schema.org/draft/2020-12/schema") && place == "#/$schema"
    case "$id", "$comment", "title", "description": return value.string != nil
    case "$ref": return value.string.flatMap(resolve) != nil
    case "$defs", "properties":
      guard let schemas = value.members, word == "properties" || place == "#/$defs" else { return false }
      for (name, schema) in schemas { try check(schema, at: "\(place)/\(name)") }
      return true
    case "anyOf", "oneOf", "prefixItems":
      guard let schemas = value.elements, !schemas.isEmpty else { return false }
      for (index, schema) in schemas.enumerated() { try check(schema, at: "\(place)/\(index)") }
      return true
    case "items", "additionalProperties":
      try check(value, at: place)
      return true
    case "type":
      let names = value.elements ?? [value]
      return !names.isEmpty && names.allSatisfy { $0.string.map(JSONSchema.types.contains) ?? false }
    case "enum": return value.elements?.isEmpty == false
    case "const": return true
    case "required": return value.elements?.allSatisfy { $0.string != nil } ?? false
    case "minItems", "minimum", "maximum": return value.number != nil
    case "pattern": return value.string.map { (try? NSRegularExpression(pattern: $0)) != nil } ?? false
    default: throw Malformed(description: "\(place): the keyword \(word) is not known")
    }
  }
}
