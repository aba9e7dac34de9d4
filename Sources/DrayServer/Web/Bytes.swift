// Predicates on bytes, for parsers of requests.

internal import DrayCore

extension UInt8 {
  /// Whether it is a space or a tab (RFC 9110 §5.6.3).
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  /// The lowercase form of an ASCII letter; any other byte unchanged.
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
  /// Whether it is visible ASCII (`VCHAR` of RFC 5234).
  var isVisible: Bool { self > 0x20 && self < 0x7F }

  /// Whether it may be part of a token: a method or a field name (RFC 9110 §5.6.2).
  var isTokenPart: Bool { FieldRule.isTokenByte(self) }

  /// Whether a field value may contain it: any byte except control characters, but including the tab (RFC 9110 §5.5).
  var isFieldPart: Bool { FieldRule.isValueByte(self) }

  /// The value of a hexadecimal digit of either case; `nil` for any other byte.
  var hexValue: Int? {
    switch self {
    case 0x30...0x39: Int(self - 0x30)
    case 0x41...0x46: Int(self - 0x37)
    case 0x61...0x66: Int(self - 0x57)
    default: nil
    }
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without spaces and tabs at both ends.
  var trimmingBlanks: SubSequence {
    guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else {
      return self[endIndex..<endIndex]
    }
    return self[first...last]
  }
}
