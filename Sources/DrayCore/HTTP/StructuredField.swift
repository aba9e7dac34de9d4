// Structured fields (RFC 9651): dictionaries of byte sequences, as in digest fields.

internal import RawStructuredFieldValues

/// Reads structured fields.
enum StructuredField {
  /// The longest field that is read, in bytes: digests need some hundreds, and the time that a dictionary takes grows with the square
  /// of its members (P13).
  static let limit = 8 << 10

  /// The members of a dictionary that are byte sequences, in the order their keys came, the last of each key; `base64` as it
  /// stands. Others, with whatever parameters, are skipped. Empty where the values break the grammar, because then all
  /// of the field is ignored (RFC 9651 §4.2).
  /// - Parameter values: those of all fields of one name, in order: together they are one.
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
}
