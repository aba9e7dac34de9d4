// Checks header fields that users and programs give for requests.

/// The reason why a request must not contain a line as a header field. None of these reasons contains the value, which
/// may be secret.
package enum FieldObjection: Error, Sendable, Equatable {
  /// The line has no colon.
  case noColon
  /// The name is not a token (RFC 9110 §5.1).
  case notAName(String)
  /// dray sets the field of this name itself.
  case isOwn(String)
  /// The value of the field of this name contains a control character.
  case controlCharacter(String)
}

/// A header field as a line: `Name: value`.
package enum FieldLine {
  /// Parses a line.
  /// - Returns: The field, without spaces around its value.
  /// - Throws: The reason why the field may not be set.
  package static func parse(
    _ line: String, from setter: FieldRule.Setter = .user
  ) throws(FieldObjection) -> HeaderField {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .noColon }
    let name = String(line[..<colon])
    try check(name, from: setter)
    let value = line.utf8[line.utf8.index(after: colon)...].trimmingBlanks
    guard value.allSatisfy(FieldRule.isValueByte) else { throw .controlCharacter(name) }
    return HeaderField(name, String(decoding: value, as: UTF8.self))
  }

  /// Checks the name of a field.
  package static func check(_ name: String, from setter: FieldRule.Setter = .user) throws(FieldObjection) {
    guard FieldRule.isToken(name.utf8) else { throw .notAName(name) }
    guard !FieldRule.isOwn(name, from: setter) else { throw .isOwn(name) }
  }
}
