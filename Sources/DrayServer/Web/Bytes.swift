// Predicates on single bytes, for what reads requests.

internal import DrayCore

extension UInt8 {
  /// A space or a tab (RFC 9110 §5.6.3).
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  /// The lower-case form of an ASCII letter; every other byte as it is.
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
  /// Visible ASCII (`VCHAR` of RFC 5234).
  var isVisible: Bool { self > 0x20 && self < 0x7F }

  /// What tokens consist of: methods, names of fields (RFC 9110 §5.6.2).
  var isTokenPart: Bool { FieldRule.isTokenByte(self) }

  /// What the value of a field may contain: anything but control characters; the tab is none (RFC 9110 §5.5).
  var isFieldPart: Bool { FieldRule.isValueByte(self) }

  /// The value of a hexadecimal digit, in either case.
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
