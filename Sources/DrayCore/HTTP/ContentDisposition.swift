/// The file name that a server suggests in `Content-Disposition` (RFC 6266), read tolerantly.
package enum ContentDisposition {
  /// Returns the suggested file name as the server wrote it, which is not yet safe to use; `nil` if there is no
  /// readable name. `filename*` (RFC 8187) takes precedence over `filename`. If either occurs twice, both are ignored
  /// (RFC 6266 §4.1).
  package static func fileName(_ values: [String]) -> String? {
    guard let value = values.first, let parameters = parameters(of: value) else { return nil }
    let plain = parameters.filter { $0.name == "filename" }
    let extended = parameters.filter { $0.name == "filename*" }
    guard plain.count < 2, extended.count < 2 else { return nil }
    if let name = extended.first.flatMap({ decodeExtended($0.value) }), !name.isEmpty { return name }
    return plain.first.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// Whether the answer is meant to be kept as a file: any type but `inline` (RFC 6266 §4.2).
  package static func isAttachment(_ head: ResponseHead) -> Bool {
    guard let value = head.first("content-disposition") else { return false }
    let type = value.prefix { $0 != ";" }.trimmingSpaces().lowercased()
    return !type.isEmpty && type != "inline"
  }

  /// Returns the parameters after the disposition type; `nil` if an error makes their values ambiguous.
  private static func parameters(of value: String) -> [(name: String, value: String)]? {
    var rest = Substring(value)
    // Both `attachment; filename=x` and `filename=x` are accepted; some servers send the second form, which lacks the
    // type.
    if let semicolon = rest.firstIndex(of: ";"), !rest[..<semicolon].contains("=") {
      rest = rest[rest.index(after: semicolon)...]
    } else if !rest.contains("=") {
      return []
    }
    var result: [(String, String)] = []
    while true {
      rest = rest.drop { $0 == ";" || $0 == " " || $0 == "\t" }
      guard let equals = rest.firstIndex(of: "=") else { return result }
      let name = rest[..<equals].trimmingSpaces().lowercased()
      guard !name.contains("\"") else { return nil }
      rest = rest[rest.index(after: equals)...].drop { $0 == " " || $0 == "\t" }
      if rest.first == "\"" {
        guard let (text, after) = quotedString(rest) else { return nil }
        result.append((name, text))
        // Text after a quoted string makes the value ambiguous: `"foo".txt`, `"a", filename="b"`.
        rest = after.drop { $0 == " " || $0 == "\t" }
        guard rest.isEmpty || rest.first == ";" else { return nil }
      } else {
        let end = rest.firstIndex(of: ";") ?? rest.endIndex
        let text = rest[..<end].trimmingSpaces()
        guard isOneValue(text) else { return nil }
        result.append((name, String(text)))
        rest = rest[end...]
      }
    }
  }

  /// Whether an unquoted text is a single value. As in browsers, the value may contain spaces, commas and brackets,
  /// although RFC 6266 §4.1 requires a token. It may not contain a quote, because its end is then ambiguous, nor be
  /// several parameters without semicolons between them: `foo.html, filename=bar.html`, `bar size=3`.
  private static func isOneValue(_ text: Substring) -> Bool {
    guard !text.contains("\"") else { return false }
    let words = text.split { $0 == "," || $0 == " " || $0 == "\t" }
    return !words.dropFirst().contains { $0.contains("=") }
  }

  /// Reads a quoted string (RFC 9110 §5.6.4), and returns it with the text that follows. A backslash escapes the next
  /// character, unless the string is a Windows path: servers that send such paths do not escape backslashes.
  private static func quotedString(_ text: Substring) -> (String, Substring)? {
    var result = ""
    var rest = text.dropFirst()
    let isPath = rest.dropFirst().hasPrefix(":\\") || rest.hasPrefix("..\\") || rest.hasPrefix(".\\")
    while let character = rest.popFirst() {
      switch character {
      case "\"":
        return (result, rest)
      case "\\":
        guard let next = rest.popFirst() else { return nil }
        if isPath, next != "\"", next != "\\" { result.append("\\") }
        result.append(next)
      default:
        result.append(character)
      }
    }
    return nil
  }

  /// Decodes `UTF-8'en'na%20me` (RFC 8187 §3.2), also with `UTF8`, as many servers write; `nil` for an unknown charset
  /// or invalid bytes.
  private static func decodeExtended(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(parts[2].utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else { return nil }
      bytes.append(high << 4 | low)
    }
    switch parts[0].lowercased() {
    case "utf-8", "utf8": return String(validating: bytes, as: UTF8.self)
    case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    default: return nil
    }
  }
}
