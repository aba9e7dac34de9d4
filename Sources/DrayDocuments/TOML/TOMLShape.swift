// Checks a TOML document before the parser reads it, for input that would end the program.

/// A check of a document's structure without parsing values.
///
/// toml++, on which TOMLKit is based, ends the process for a heading without a key, for an array that contains a
/// terminator without a value, such as `[}`, and for a date without a digit after its `T`. It also recurses into the
/// parts of a dotted key until the stack overflows (P13). Up to the first error, this check and toml++ agree on which
/// bytes are text. Neither reads on after the first error.
struct TOMLShape {
  static let partLimit = 16

  private(set) var reason: String?
  /// The line number of the error, from 1.
  private(set) var line = 1

  private let bytes: [UInt8]
  private var at = 0
  /// Parts of the present key, if it may be a key.
  private var parts = 1
  private var open: [UInt8] = []
  /// Whether a value may follow.
  private var isBeforeValue = false

  init(_ text: String) {
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    while reason == nil, at < bytes.count { statement() }
  }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Whether a key may begin with a byte: ASCII letters and digits, `-`, `_`, quotation marks.
  private static func beginsKey(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-_\"'".utf8.contains(byte)
    }
  }

  private mutating func step() {
    if next == UInt8(ascii: "\n") { line += 1 }
    at += 1
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while let byte = next, condition(byte) { step() }
  }

  /// Reads a heading, a key with its value, a comment, or an empty line.
  private mutating func statement() {
    skip { TOMLShape.isBlank($0) || $0 == 0x0A || $0 == 0x0D }
    parts = 1
    if next == UInt8(ascii: "[") { heading() }
    (open, isBeforeValue) = ([], false)
    while reason == nil, let byte = next {
      if isBeforeValue, !TOMLShape.isBlank(byte), byte != 0x0A, byte != 0x0D, byte != UInt8(ascii: "#") {
        isBeforeValue = false
        checkDate()
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): string()
      case UInt8(ascii: "#"): skip { $0 != 0x0A }
      case UInt8(ascii: "\n"):
        parts = 1
        step()
        if open.isEmpty { return }
      default:
        look(at: byte)
        step()
      }
    }
  }

  private mutating func look(at byte: UInt8) {
    countParts(byte)
    switch byte {
    case UInt8(ascii: "="): isBeforeValue = true
    case UInt8(ascii: ","): isBeforeValue = open.last == UInt8(ascii: "[")
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      open.append(byte)
      isBeforeValue = byte == UInt8(ascii: "[")
    // toml++ finds unmatched brackets.
    case UInt8(ascii: "]"): close(UInt8(ascii: "["))
    case UInt8(ascii: "}"): close(UInt8(ascii: "{"))
    // These include spaces and line ends of other scripts, which end a value.
    case 0x80...: if !open.isEmpty { reason = "a character that is not ASCII must be in quotation marks" }
    default: break
    }
  }

  /// Refuses a value that begins with a digit, like a date, and contains a `T` without a time after it.
  private mutating func checkDate() {
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    guard let first = next, isDigit(first) else { return }
    let ends = " \t\r\n,]}#".utf8
    let value = bytes[at...].prefix { !ends.contains($0) }
    for index in value.indices where value[index] | 0x20 == UInt8(ascii: "t") {
      let behind = index + 1
      if behind >= bytes.endIndex || !isDigit(bytes[behind]) { reason = "a date has no time after its T" }
    }
  }

  private mutating func close(_ bracket: UInt8) {
    if let last = open.popLast(), last != bracket { reason = "brackets do not match" }
  }

  private mutating func countParts(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "."):
      parts += 1
      if parts > TOMLShape.partLimit { reason = "a key has more than \(TOMLShape.partLimit) parts" }
    case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "="),
      UInt8(ascii: ","):
      parts = 1
    default: break
    }
  }

  /// Reads the one or two brackets of a heading, and its name. Closing brackets are optional.
  private mutating func heading() {
    for _ in 0..<2 where next == UInt8(ascii: "[") {
      step()
      skip(while: TOMLShape.isBlank)
    }
    if let byte = next, !TOMLShape.beginsKey(byte), byte != UInt8(ascii: "]") {
      reason = "a heading has no name"
    }
    while let byte = next, reason == nil, byte != UInt8(ascii: "]"), byte != UInt8(ascii: "\n") {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        string()
      } else {
        countParts(byte)
        step()
      }
    }
    skip { $0 == UInt8(ascii: "]") }
  }

  /// Skips a string of any of the four kinds. An unclosed one-line string ends with its line.
  private mutating func string() {
    guard let quote = next else { return }
    let mark = [UInt8](repeating: quote, count: 3)
    let isLong = bytes[at...].starts(with: mark)
    at += isLong ? 3 : 1
    while let byte = next {
      if isLong ? bytes[at...].starts(with: mark) : byte == quote {
        at += isLong ? 3 : 1
        // A long string may end with up to two more quotation marks, which belong to its content.
        if isLong { skip { $0 == quote } }
        return
      }
      if byte == UInt8(ascii: "\n"), !isLong { return }
      step()
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), next != nil, isLong || next != 0x0A { step() }
    }
  }
}
