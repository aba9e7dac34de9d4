// `-H` in curl's forms, checked: nothing that would break the request or that is dray's own to decide.

internal import DrayKit

enum HeaderLine {
  /// Fields that frame the message or ask for ranges; set by hand they would make answers mean something else.
  static let own: Set<String> = [
    "range", "if-range", "if-match", "accept-encoding", "content-length", "transfer-encoding", "connection", "te",
    "trailer", "upgrade",
  ]

  /// Reads `Name: value`; `Name:` takes a field away, `Name;` sends it without a value.
  /// - Parameter place: what to name in an error.
  /// - Throws: kind `usage`. The value is never in the message: it may be a secret.
  static func parse(_ line: String, _ place: String) throws(Failure) -> HeaderField {
    guard !line.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" || $0 == "\0" }) else {
      throw OptionValue.bad(place, "a header field cannot contain a line break: use -H once for each field")
    }
    guard let colon = line.firstIndex(of: ":") else {
      if line.hasSuffix(";") { return HeaderField(try name(String(line.dropLast()), place), "", isSentEmpty: true) }
      throw OptionValue.bad(place, "it has no colon: write it like 'Name: value'")
    }
    let name = try name(String(line[..<colon]), place)
    let value = String(line[line.index(after: colon)...].trimmingSpaces())
    guard !value.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }) else {
      throw OptionValue.bad(place, "the value of \(name) contains a control character: remove it")
    }
    return HeaderField(name, value)
  }

  /// A name of a field that may be set.
  private static func name(_ name: String, _ place: String) throws(Failure) -> String {
    guard isToken(name) else {
      throw OptionValue.bad(
        place, "\(OptionValue.quote(name)) is not a valid field name: use letters, digits and -")
    }
    guard !own.contains(name.lowercased()) else {
      throw OptionValue.bad(place, "dray sets \(name) itself: omit it")
    }
    return name
  }

  /// Reads `-H` values, those of `@FILE` from that file.
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

  /// What Unicode takes for the end of a line besides is part of a value.
  private static func isLineEnd(_ character: Character) -> Bool { character == "\n" || character == "\r\n" }

  private static func isToken(_ name: String) -> Bool { !name.isEmpty && name.utf8.allSatisfy(isTokenByte) }

  /// Whether a name or a method may have this byte in it (RFC 9110 §5.6.2).
  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
