// Writes a parsed JSON value unchanged, because the id of a call may be any value.

package import DrayCore
package import DrayDocuments

/// A number in the digits in which it was parsed.
private struct Digits: JSONScalar {
  let text: String
  func write(to json: inout [UInt8]) { json.append(contentsOf: text.utf8) }
}

extension JSONText {
  /// Writes a parsed value. The depth of the value needs no limit here, because the parser already limits it.
  package mutating func value(_ node: JSONNode) {
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
