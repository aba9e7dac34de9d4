// Arithmetic on numbers from outside (file systems, servers, documents, clocks): results stop at the limits of the type
// instead of ending the program.

extension FixedWidthInteger {
  /// The sum, limited to the type's range.
  public func saturatingSum(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, limited to the type's range.
  public func saturatingDifference(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// The product, limited to the type's range.
  public func saturatingProduct(_ factor: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? ((self < 0) == (factor < 0) ? .max : .min) : product
  }

  /// The whole part of a number, limited to the type's range; 0 for NaN.
  public init(saturating value: Double) {
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
