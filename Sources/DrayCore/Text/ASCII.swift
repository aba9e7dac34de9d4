// Predicates on bytes, for parsers that work on UTF-8 without Foundation.

extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }
  var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  /// Whether this is a C0 control character or DEL.
  var isControl: Bool { self < 0x20 || self == 0x7F }
  /// Whether this is a space or a tab, the optional white space of RFC 9110 §5.6.3.
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  /// The lowercase letter for an ASCII capital letter; any other byte unchanged.
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// The value of a hexadecimal digit of either case; `nil` for any other byte.
  var hexValue: UInt8? {
    if isDigit { return self - 0x30 }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter + 10 : nil
  }
}

func hexDigits(_ byte: UInt8, uppercase: Bool = false) -> (UInt8, UInt8) {
  func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : (uppercase ? 0x37 : 0x57) + value }
  return (digit(byte >> 4), digit(byte & 0x0F))
}

extension BidirectionalCollection<UInt8> {
  /// These bytes without spaces and tabs at both ends.
  var trimmingBlanks: SubSequence {
    guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else {
      return self[endIndex..<endIndex]
    }
    return self[first...last]
  }
}
