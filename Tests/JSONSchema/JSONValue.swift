// JSON as a value, for tests.

import Foundation

/// A JSON text as a value.
public enum JSONValue: Sendable, Equatable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Reads a JSON text.
  public init(parsing text: String) throws {
    self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  /// Decodes any JSON value.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  /// The members of an object; `nil` for anything else.
  public var members: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The member of an object.
  public subscript(_ name: String) -> JSONValue? { members?[name] }

  /// The elements of an array; `nil` for anything else.
  public var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// A string; `nil` for anything else.
  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// A number; `nil` for anything else.
  public var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }
}
