// Decodes a terminal's bytes to keys. It has no clock and reads nothing.

/// Decodes bytes to keys, in pieces of any size.
public struct KeyDecoder: Sendable {
  /// The bytes of an incomplete key.
  private var open: [UInt8] = []
  /// The text pasted so far; `nil` outside of a paste.
  private var pasted: [UInt8]?

  private static let longestSequence = 64
  /// The maximum length of a paste. More is dropped, because a paste of that length is a mistake.
  private static let longestPaste = 1 << 20
  private static let escape: UInt8 = 0x1B
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  public init() {}

  /// Whether the last bytes may begin a key. If no more bytes follow for a moment, call ``flush()``.
  public var isOpen: Bool { !open.isEmpty && pasted == nil }

  public mutating func take(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes {
      if pasted != nil {
        if let text = paste(byte) { keys.append(.paste(text)) }
      } else {
        open.append(byte)
        keys += complete()
      }
    }
    return keys
  }

  /// Returns the keys that the last bytes mean if no more follow, for example a single Esc.
  public mutating func flush() -> [Key] {
    guard isOpen else { return [] }
    defer { open = [] }
    return open.first == Self.escape ? [.escape] + open.dropFirst().compactMap(Self.plain) : []
  }

  /// Takes a byte of a paste.
  /// - Returns: The whole text at its end.
  private mutating func paste(_ byte: UInt8) -> String? {
    open.append(byte)
    if !Self.pasteEnd.starts(with: open) {
      // These bytes were not the end of the paste. The end may begin with the present byte.
      let rest = byte == Self.escape ? 1 : 0
      if pasted.map({ $0.count < Self.longestPaste }) == true { pasted?.append(contentsOf: open.dropLast(rest)) }
      open = rest == 1 ? [byte] : []
      return nil
    }
    guard open.count == Self.pasteEnd.count else { return nil }
    defer { (open, pasted) = ([], nil) }
    return String(decoding: pasted ?? [], as: UTF8.self)
  }

  /// Returns the keys in `open` if they are complete.
  private mutating func complete() -> [Key] {
    guard let first = open.first else { return [] }
    if first == Self.escape { return sequence() }
    if first < 0x80 {
      open = []
      return Self.plain(first).map { [$0] } ?? []
    }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    let isWrong = first < 0xC2 || first > 0xF4 || open.dropFirst().contains { $0 & 0xC0 != 0x80 }
    guard isWrong || open.count == length else { return [] }
    defer { open = [] }
    return isWrong ? [] : String(decoding: open, as: UTF8.self).map { .character($0) }
  }

  private mutating func sequence() -> [Key] {
    guard open.count > 1 else { return [] }
    switch open[1] {
    case UInt8(ascii: "["):
      guard open.count > 2 else { return [] }
      let last = open[open.count - 1]
      if (0x20...0x3F).contains(last), open.count < Self.longestSequence { return [] }
      defer { open = [] }
      let parameters = String(decoding: open[2..<open.count - 1], as: UTF8.self)
      if parameters == "200", last == UInt8(ascii: "~") {
        pasted = []
        return []
      }
      return Self.control(parameters, last).map { [$0] } ?? []
    case UInt8(ascii: "O"):
      guard open.count > 2 else { return [] }
      defer { open = [] }
      return Self.control("", open[2]).map { [$0] } ?? []
    case Self.escape:
      open = [Self.escape]
      return [.escape]
    default:
      let byte = open[1]
      open = []
      return [.escape] + (Self.plain(byte).map { [$0] } ?? [])
    }
  }

  private static func control(_ parameters: String, _ final: UInt8) -> Key? {
    if parameters.hasPrefix("<") { return mouse(parameters.dropFirst(), final) }
    switch final {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return .right
    case UInt8(ascii: "D"): return .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "M"): return .enter
    case UInt8(ascii: "~"):
      // Modifiers follow the semicolon.
      switch parameters.prefix(while: { $0 != ";" }) {
      case "1", "7": return .home
      case "3": return .delete
      case "4", "8": return .end
      case "5": return .pageUp
      case "6": return .pageDown
      default: return nil
      }
    default: return nil
    }
  }

  /// Decodes a mouse report: button, column and row, from 1 (SGR, mode 1006).
  private static func mouse(_ parameters: Substring, _ final: UInt8) -> Key? {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    guard numbers.count == 3, final == UInt8(ascii: "M") else { return nil }
    switch numbers[0] {
    case 64: return .wheelUp
    case 65: return .wheelDown
    case 0: return .click(column: max(0, numbers[1] - 1), row: max(0, numbers[2] - 1))
    default: return nil
    }
  }

  private static func plain(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x0A, 0x0D: .enter
    case 0x08, 0x7F: .backspace
    case 0x09: .tab
    case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
    case 0x20..<0x7F: .character(Character(Unicode.Scalar(byte)))
    default: nil
    }
  }
}
