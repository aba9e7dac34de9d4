// Dictionaries of byte sequences in header fields (RFC 9651 §3.2, §3.3.5): what the fields of digests are.

/// Reads a dictionary whose values are byte sequences: `sha-256=:BASE64:, sha-512=:BASE64:`.
struct ByteDictionary {
  private var rest: Substring.UTF8View

  /// The members in the order their keys came, the last of each key; a member that is no byte sequence is left out. `nil`
  /// where the values break the grammar, because then all of the field counts for nothing (RFC 9651 §4.2).
  static func parse(_ values: [String]) -> [(key: String, base64: String)]? {
    var reader = ByteDictionary(rest: Substring(values.joined(separator: ",")).utf8)
    return reader.all()
  }

  private init(rest: Substring.UTF8View) { self.rest = rest }

  private mutating func all() -> [(key: String, base64: String)]? {
    var values: [String: String?] = [:]
    var keys: [String] = []
    func members() -> [(key: String, base64: String)] {
      keys.compactMap { key in values[key].flatMap(\.self).map { (key, $0) } }
    }
    skipSpaces()
    while !rest.isEmpty {
      guard let key = key() else { return nil }
      var base64: String?
      if take("=") {
        guard item(&base64) else { return nil }
      }
      guard parameters() else { return nil }
      // The value of a key that comes again replaces the one before (§4.2.2).
      if values.updateValue(base64, forKey: key) == nil { keys.append(key) }
      skipSpaces()
      if rest.isEmpty { return members() }
      guard take(",") else { return nil }
      skipSpaces()
      // A comma at the end is an error (§4.2.2).
      if rest.isEmpty { return nil }
    }
    return members()
  }

  private mutating func key() -> String? {
    guard let first = rest.first, first == UInt8(ascii: "*") || isLowercase(first) else { return nil }
    let key = rest.prefix { isLowercase($0) || $0.isDigit || "_-.*".utf8.contains($0) }
    rest = rest[key.endIndex...]
    return String(Substring(key))
  }

  /// A byte sequence, or another bare item, which is passed over.
  private mutating func item(_ base64: inout String?) -> Bool {
    guard take(":") else { return bareItem() }
    let digits = rest.prefix { $0 != UInt8(ascii: ":") }
    guard digits.allSatisfy({ isBase64($0) }), digits.endIndex < rest.endIndex else { return false }
    rest = rest[digits.endIndex...].dropFirst()
    base64 = String(Substring(digits))
    return true
  }

  private mutating func bareItem() -> Bool {
    if take("\"") {
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\"") { return true }
        if byte == UInt8(ascii: "\\"), rest.popFirst() == nil { return false }
      }
      return false
    }
    let token = rest.prefix { $0.isDigit || $0.isLetter || "-.?*/_@".utf8.contains($0) }
    rest = rest[token.endIndex...]
    return !token.isEmpty
  }

  private mutating func parameters() -> Bool {
    while take(";") {
      skipSpaces()
      guard key() != nil else { return false }
      var ignored: String?
      if take("="), !item(&ignored) { return false }
    }
    return true
  }

  private mutating func take(_ character: Character) -> Bool {
    guard rest.first == character.asciiValue else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipSpaces() { rest = rest.drop(while: \.isBlank) }

  private func isLowercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

  private func isBase64(_ byte: UInt8) -> Bool { byte.isDigit || byte.isLetter || "+/=".utf8.contains(byte) }
}
