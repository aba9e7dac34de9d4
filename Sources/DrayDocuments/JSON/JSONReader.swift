// Reads the grammar of JSON strictly (RFC 8259).

struct JSONReader {
  var depthLimit = 64
  /// Whether a name may repeat in an object (RFC 8259 §4 advises against it).
  var mayRepeatNames = false

  private let bytes: [UInt8]
  private let kind: String
  private var index = 0
  private var line: Int
  private var lineStart = 0
  private var depth = 0

  init(_ bytes: [UInt8], kind: String, line: Int) {
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    self.bytes = hasMark ? Array(bytes.dropFirst(3)) : bytes
    self.kind = kind
    self.line = line
  }

  mutating func document() throws(DocumentError) -> JSONNode {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw DocumentError(kind, "it is not JSON: it is not UTF-8")
    }
    let node = try value()
    skipBlanks()
    guard index == bytes.count else { throw wrong("there is text after its end") }
    return node
  }

  private func wrong(_ what: String) -> DocumentError {
    DocumentError(kind, "it is not JSON: \(what) (column \(index - lineStart + 1))", line: line)
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      index += 1
      if byte == 0x0A { (line, lineStart) = (line + 1, index) }
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func value() throws(DocumentError) -> JSONNode {
    skipBlanks()
    let start = line
    func node(_ value: JSONNode.Value) -> JSONNode { JSONNode(value: value, line: start) }
    switch next {
    case UInt8(ascii: "{"): return node(.object(try nested { (reader) throws(DocumentError) in try reader.members() }))
    case UInt8(ascii: "["): return node(.array(try nested { (reader) throws(DocumentError) in try reader.elements() }))
    case UInt8(ascii: "\""): return node(.string(try string()))
    case UInt8(ascii: "-"),
      _ where JSONReader.isDigit(next):
      return node(.number(try number()))
    case nil: throw wrong("it ends too early")
    default:
      for (word, value) in [("true", JSONNode.Value.bool(true)), ("false", .bool(false)), ("null", .null)]
      where bytes[index...].starts(with: word.utf8) {
        index += word.utf8.count
        return node(value)
      }
      throw wrong("a value was expected")
    }
  }

  private mutating func nested<Result>(
    _ read: (inout JSONReader) throws(DocumentError) -> Result
  ) throws(DocumentError) -> Result {
    depth += 1
    guard depth <= depthLimit else { throw wrong("it is nested more than \(depthLimit) deep") }
    index += 1
    let result = try read(&self)
    depth -= 1
    return result
  }

  private mutating func members() throws(DocumentError) -> [JSONNode.Member] {
    var members: [JSONNode.Member] = []
    var names: Set<String> = []
    if take("}") { return [] }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw wrong("the name of a member was expected") }
      let name = try string()
      guard mayRepeatNames || JSONReader.isNew(name, after: members, &names) else {
        throw wrong("\(quote(name)) occurs twice")
      }
      guard take(":") else { throw wrong("a colon was expected") }
      members.append(JSONNode.Member(name: name, value: try value()))
      if take("}") { return members }
      guard take(",") else { throw wrong("a comma or } was expected") }
    }
  }

  /// The number of members up to which names are compared one by one. Most objects are that small, and cost no set.
  private static let few = 8

  /// Whether no member has this name.
  /// - Parameter names: The names of all members once there are more than a few.
  private static func isNew(_ name: String, after members: [JSONNode.Member], _ names: inout Set<String>) -> Bool {
    guard members.count >= few else { return !members.contains { $0.name == name } }
    if names.isEmpty { names = Set(members.lazy.map(\.name)) }
    return names.insert(name).inserted
  }

  private mutating func elements() throws(DocumentError) -> [JSONNode] {
    var elements: [JSONNode] = []
    if take("]") { return [] }
    while true {
      elements.append(try value())
      if take("]") { return elements }
      guard take(",") else { throw wrong("a comma or ] was expected") }
    }
  }

  private mutating func number() throws(DocumentError) -> String {
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    if next == UInt8(ascii: "0") { index += 1 } else { try digits() }
    if next == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func digits() throws(DocumentError) {
    guard Self.isDigit(next) else { throw wrong("a digit was expected") }
    while Self.isDigit(next) { index += 1 }
  }

  private static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }

  private mutating func string() throws(DocumentError) -> String {
    index += 1
    // Most strings have no escapes, and are taken from the text in one piece.
    var start = index
    var text = ""
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let piece = bytes[start..<index]
        index += 1
        return text.isEmpty ? String(decoding: piece, as: UTF8.self) : text + String(decoding: piece, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text += String(decoding: bytes[start..<index], as: UTF8.self)
        index += 1
        text.unicodeScalars.append(try escape())
        start = index
      case 0..<0x20:
        index += 1
        throw wrong("a string contains a control character")
      default: index += 1
      }
    }
    throw wrong("a string is not closed")
  }

  private mutating func escape() throws(DocumentError) -> Unicode.Scalar {
    guard let byte = next else { throw wrong("a string is not closed") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicode()
    default: throw wrong("invalid escape")
    }
  }

  private mutating func unicode() throws(DocumentError) -> Unicode.Scalar {
    let high = try unit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xDC00, bytes[index...].starts(with: "\\u".utf8) else { throw wrong("half of a surrogate pair") }
    index += 2
    let low = try unit()
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + ((UInt32(high) - 0xD800) << 10) + (UInt32(low) - 0xDC00))
    else { throw wrong("half of a surrogate pair") }
    return scalar
  }

  private mutating func unit() throws(DocumentError) -> UInt16 {
    let digits = bytes[index...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw wrong("four hexadecimal digits were expected") }
    index += 4
    return unit
  }
}
