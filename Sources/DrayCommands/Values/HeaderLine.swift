// Parses the values of `-H` in the forms of curl, and refuses header fields that would break the request or that dray
// sets itself.

internal import DrayKit

enum HeaderLine {
  /// Parses `Name: value`. The form `Name:` removes a field, and `Name;` sends it without a value.
  /// - Parameter place: How an error names the line.
  /// - Throws: Kind `usage`. The message never contains the value of the field, which may be a secret.
  static func parse(_ line: String, _ place: String) throws(Failure) -> HeaderField {
    guard !line.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" || $0 == "\0" }) else {
      throw OptionValue.bad(place, "a header field cannot contain a line break: use -H once for each field")
    }
    do throws(FieldObjection) {
      guard line.hasSuffix(";"), !line.contains(":") else { return try FieldLine.parse(line) }
      let name = String(line.dropLast())
      try FieldLine.check(name)
      return HeaderField(name, "", isSentEmpty: true)
    } catch {
      throw failure(error, place)
    }
  }

  private static func failure(_ objection: FieldObjection, _ place: String) -> Failure {
    switch objection {
    case .noColon: OptionValue.bad(place, "it has no colon: write it like 'Name: value'")
    case .notAName(let name):
      OptionValue.bad(place, "\(OptionValue.quote(name)) is not a valid field name: use letters, digits and -")
    case .isOwn(let name) where name.lowercased() == "proxy-authorization":
      OptionValue.bad(place, "the server must not see \(name): write --proxy-user for the proxy")
    case .isOwn(let name): OptionValue.bad(place, "dray sets \(name) itself: omit it")
    case .controlCharacter(let name):
      OptionValue.bad(place, "the value of \(name) contains a control character: remove it")
    }
  }

  static func parse(all values: [String], readFile: (String) throws(Failure) -> String) throws(Failure)
    -> [HeaderField]
  {
    var fields: [HeaderField] = []
    for value in values {
      guard value.hasPrefix("@") else {
        fields.append(try parse(value, "--header"))
        continue
      }
      let path = String(value.dropFirst())
      let text = try readFile(path)
      for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: isLineEnd).enumerated()
      where !line.trimmingSpaces().isEmpty {
        fields.append(try parse(String(line), "\(path):\(index + 1)"))
      }
    }
    return fields
  }

  /// The other characters that end a line in Unicode are part of a value.
  private static func isLineEnd(_ character: Character) -> Bool { character == "\n" || character == "\r\n" }
}
