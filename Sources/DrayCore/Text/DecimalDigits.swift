/// A number in ASCII digits, as in header fields and URLs.
enum DecimalDigits: Equatable {
  case value(Int64)
  /// Only digits, but a number that does not fit in an `Int64`.
  case overflow
  /// Empty, or with a byte that is not a digit, such as a sign, a space or a letter.
  case malformed

  /// Reads `1*DIGIT`.
  init(_ bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty, bytes.allSatisfy(\.isDigit) else {
      self = .malformed
      return
    }
    var total: Int64 = 0
    for byte in bytes {
      let (shifted, overflowed) = total.multipliedReportingOverflow(by: 10)
      let (sum, carried) = shifted.addingReportingOverflow(Int64(byte - 0x30))
      guard !overflowed, !carried else {
        self = .overflow
        return
      }
      total = sum
    }
    self = .value(total)
  }
}
