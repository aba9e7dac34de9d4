// The file name that a server suggests.

/// The `Content-Disposition` field (RFC 6266), read tolerantly.
public enum ContentDisposition {
  /// Returns the suggested file name as the server wrote it, not yet safe to use; `nil` without a readable name.
  /// `filename*` (RFC 8187) takes precedence over `filename`. If either occurs twice, both are ignored (RFC 6266 §4.1).
  public static func fileName(_ values: [String]) -> String? {
    guard let value = values.first, let parameters = parameters(of: value) else { return nil }
    let plain = parameters.filter { $0.name == "filename" }
    let extended = parameters.filter { $0.name == "filename*" }
    guard plain.count < 2, extended.count < 2 else { return nil }
    if let name = extended.first.flatMap({ decodeExtended($0.value) }), !name.isEmpty { return name }
    return plain.first.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// Whether the answer asks to be kept as a file: any type but `inline` (RFC 6266 §4.2).
  public static func isAttachment(_ head: ResponseHead) -> Bool {
    guard let value = head.first("content-disposition") else { return false }
    let type = value.prefix { $0 != ";" }.trimmingSpaces().lowercased()
    return !type.isEmpty && type != "inline"
  }

  /// The parameters after the disposition type; `nil` if an error makes their values ambiguous.
  private static func parameters(of value: String) -> [(name: String, value: String)]? {
    var rest = Substring(value)
    // Accept `attachment; filename=x`, and `filename=x` without a type, which some servers send.
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
        // Anything after a quoted string is ambiguous: `"foo".txt`, `"a", filename="b"`.
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

  /// Whether an unquoted text is one value. As in browsers, it may have spaces, commas and brackets, although RFC 6266
  /// §4.1 requires a token. A quote inside makes the end of the value ambiguous, and `foo.html, filename=bar.html` or
  /// `bar size=3` are several parameters without semicolons.
  private static func isOneValue(_ text: Substring) -> Bool {
    guard !text.contains("\"") else { return false }
    let words = text.split { $0 == "," || $0 == " " || $0 == "\t" }
    return !words.dropFirst().contains { $0.contains("=") }
  }

  /// Reads a quoted string (RFC 9110 §5.6.4), and returns the text after it, too. A backslash escapes the next
  /// character, except in a whole Windows path: servers that send such paths do not escape backslashes.
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

  /// `UTF-8'en'na%20me` (RFC 8187 §3.2), also with `UTF8`, which many servers write; `nil` for an unknown charset or
  /// invalid bytes.
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
