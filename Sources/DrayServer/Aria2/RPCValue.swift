// The values in answers. As in aria2, nearly all values are strings, also the numbers (manual, "RPC INTERFACE").

internal import DrayCore

enum RPCValue: Sendable, Equatable {
  struct Member: Sendable, Equatable {
    var name: String
    var value: RPCValue
  }

  case string(String)
  case integer(Int)
  case list([RPCValue])
  /// A struct, with its members in the order in which they are written.
  case members([Member])

  /// The number of entries in a list and in the lists inside it. A value that is not a list counts as one entry.
  var entries: Int {
    guard case .list(let values) = self else { return 1 }
    return values.reduce(0) { $0 + $1.entries }
  }

  /// The answer of a method that has no result.
  static let ok = RPCValue.string("OK")

  static func number(_ number: some BinaryInteger) -> RPCValue { .string(String(number)) }

  /// Returns a struct with these members. A member whose value is `nil` is left out.
  static func of(_ members: KeyValuePairs<String, RPCValue?>) -> RPCValue {
    .members(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  /// Returns a struct of strings, sorted by name.
  static func of(_ texts: [String: String]) -> RPCValue {
    .members(texts.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: .string($0.value)) })
  }

  /// The approximate length of the value's text in bytes.
  var size: Int {
    switch self {
    case .string(let text): 3 + text.utf8.count
    case .integer: 4
    case .list(let values): values.reduce(2) { $0 + $1.size }
    case .members(let members): members.reduce(2) { $0 + 4 + $1.name.utf8.count + $1.value.size }
    }
  }

  func write(to json: inout JSONText) {
    switch self {
    case .string(let text): json.value(text)
    case .integer(let number): json.value(number)
    case .list(let values):
      json.beginArray()
      for value in values { value.write(to: &json) }
      json.endArray()
    case .members(let members):
      json.beginObject()
      for member in members {
        json.key(member.name)
        member.value.write(to: &json)
      }
      json.endObject()
    }
  }
}
