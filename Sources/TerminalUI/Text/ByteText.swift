// Byte counts and rates as short texts of steady width, for bars and tables. ByteCount writes those of sentences.

internal import DrayCore

/// Byte counts in binary units, rounded down by ``ByteUnit``.
public enum ByteText {
  /// Returns at most eight cells: `512 B`, `12.3 MiB`, `300 MiB`.
  public static func size(_ bytes: Int64) -> String {
    let unit = ByteUnit(for: bytes)
    return "\(unit.short(bytes)) \(unit.name)"
  }

  /// Returns received and expected bytes in the unit of the larger: `12.3/300 MiB`.
  ///
  /// `bound` precedes the expected size, for example `≥` if only a lower bound is known.
  public static func pair(_ received: Int64, of size: Int64, bound: String = "") -> String {
    let unit = ByteUnit(for: max(received, size))
    return "\(unit.short(received))/\(bound)\(unit.short(size)) \(unit.name)"
  }

  /// Returns bytes per second in at most ten cells: `11.2 MiB/s`. Negative and non-finite values count as 0.
  public static func rate(_ bytesPerSecond: Double) -> String {
    size(Int64(clamping: bytesPerSecond)) + "/s"
  }

  /// Returns at most five cells, for the narrowest lines: `999K`, `12.3M`.
  static func compact(_ bytes: Int64) -> String {
    let unit = ByteUnit(for: bytes)
    return unit.short(bytes) + unit.name.prefix(1)
  }
}

/// Computes percentages in integers: 29 of 100 must not become 28.
enum Percent {
  /// Returns `part` as a percentage of `size`, rounded down, 0 to 100; 0 if `size` is 0.
  static func floor(_ part: Int64, of size: Int64) -> Int {
    guard size > 0 else { return 0 }
    let hundredfold = min(size, max(0, part)).multipliedFullWidth(by: 100)
    return Int(size.dividingFullWidth(hundredfold).quotient)
  }
}

extension Int64 {
  /// Creates the nearest value from 0 to a quarter of the maximum; 0 for NaN.
  fileprivate init(clamping value: Double) {
    self = value > 0 ? Int64(Swift.min(value, Double(Int64.max / 4))) : 0
  }
}
