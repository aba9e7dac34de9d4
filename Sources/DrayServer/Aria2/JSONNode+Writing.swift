// Values that were read, written as they were: the id of a call may be any of them.

internal import DrayCore
internal import DrayDocuments

/// A number in the digits in which it was read.
private struct Digits: JSONScalar {
  let text: String
  func write(to json: inout [UInt8]) { json.append(contentsOf: text.utf8) }
}

extension JSONText {
  /// Writes a value that was read; it is no deeper than a reader allows.
  mutating func value(_ node: JSONNode) {
    switch node.value {
    case .null: value(String?.none)
    case .bool(let flag): value(flag)
    case .number(let digits): value(Digits(text: digits))
    case .string(let text): value(text)
    case .array(let elements):
      beginArray()
      for element in elements { value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(member.name)
        value(member.value)
      }
      endObject()
    }
  }
}
