// Reads structured fields (RFC 9651): dictionaries of byte sequences, as in digest fields, and numbers, as in the fields
// of rate limits.

internal import RawStructuredFieldValues

enum StructuredField {
  /// The maximum length of a field in bytes; digests need some hundreds. It is limited because the time to parse a
  /// dictionary grows with the square of its members (P13).
  static let limit = 8 << 10

  /// Returns those members of a dictionary that are byte sequences, in the order of their keys; if a key occurs several
  /// times, its last value counts. The base64 text is not decoded. Other members and all parameters are ignored.
  /// Returns nothing if the syntax is invalid, because the whole field is then ignored (RFC 9651 §4.2).
  /// - Parameter values: The values of all fields with one name, in order, which form one field.
  static func byteSequences(_ values: [String]) -> [(key: String, base64: String)] {
    let length = values.reduce(values.count) { $0 + $1.utf8.count }
    guard length <= limit else { return [] }
    var parser = StructuredFieldValueParser(Array(values.joined(separator: ", ").utf8))
    guard let members = try? parser.parseDictionaryFieldValue() else { return [] }
    return members.compactMap { key, member in
      guard case .item(let item) = member, case .undecodedByteSequence(let base64) = item.rfc9651BareItem else {
        return nil
      }
      return (key, base64)
    }
  }

  /// Returns the items of a list with their integer parameters, in order. The key of an item is its string, token or
  /// number. A dictionary is returned as one item without a key, whose parameters are the members that are integers.
  /// Returns nothing if the syntax is invalid.
  static func items(_ values: [String]) -> [(key: String, numbers: [String: Int64])] {
    guard !values.isEmpty else { return [] }
    let bytes = Array(values.joined(separator: ", ").utf8)
    guard bytes.count <= limit else { return [] }
    var list = StructuredFieldValueParser(bytes)
    if let members = try? list.parseListFieldValue() {
      return members.compactMap { member in
        guard case .item(let item) = member else { return nil }
        var numbers: [String: Int64] = [:]
        for (name, value) in item.rfc9651Parameters { if case .integer(let number) = value { numbers[name] = number } }
        switch item.rfc9651BareItem {
        case .string(let key), .token(let key): return (key, numbers)
        case .integer(let key): return ("\(key)", numbers)
        default: return nil
        }
      }
    }
    var dictionary = StructuredFieldValueParser(bytes)
    guard let members = try? dictionary.parseDictionaryFieldValue() else { return [] }
    var numbers: [String: Int64] = [:]
    for (name, member) in members {
      if case .item(let item) = member, case .integer(let number) = item.rfc9651BareItem { numbers[name] = number }
    }
    return [("", numbers)]
  }
}
