// Letters with marks in one form (Unicode's NFC, UAX #15).

@_spi(_Unicode) import Swift

extension String {
  /// This text with each letter and its marks as one character, where there is one. The standard library has it for its own
  /// comparisons, and does not offer it otherwise.
  var composed: String {
    var scalars = UnicodeScalarView()
    for scalar in _nfc { scalars.append(scalar) }
    return String(scalars)
  }
}
