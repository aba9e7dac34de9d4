// Predicates on bytes, for the fields of requests.

extension UInt8 {
  /// Whether the byte is a space or a tab (RFC 9110 §5.6.3).
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  /// The lowercase form if the byte is an ASCII letter; otherwise the byte itself.
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
  /// Whether the byte is visible ASCII (`VCHAR` of RFC 5234).
  var isVisible: Bool { self > 0x20 && self < 0x7F }
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
