// Arithmetic on numbers from outside (file systems, servers, documents, clocks): results are clamped to the range of
// the type, so that the program never traps.

extension FixedWidthInteger {
  /// Returns the sum, clamped to the type's range.
  package func saturatingSum(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// Returns the difference, clamped to the type's range.
  package func saturatingDifference(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// Returns the product, clamped to the type's range.
  package func saturatingProduct(_ factor: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? ((self < 0) == (factor < 0) ? .max : .min) : product
  }

  /// Creates the whole part of a number, clamped to the type's range; 0 for NaN.
  package init(saturating value: Double) {
    if value.isNaN {
      self = 0
    } else if value >= Double(Self.max) {
      self = .max
    } else if value <= Double(Self.min) {
      self = .min
    } else {
      self = Self(value)
    }
  }
}

extension Int {
  /// Creates the whole part of a number, clamped to the type's range; 0 for NaN. Not generic, because every request
  /// needs it, and a generic call would look up its types at run time.
  package init(saturating value: Double) {
    // 2^63 is the first number beyond the range.
    if value >= 0x1p63 {
      self = .max
    } else if value <= -0x1p63 {
      self = .min
    } else {
      self = value.isNaN ? 0 : Int(value)
    }
  }
}
