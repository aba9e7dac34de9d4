// Byte counts and rates as short texts of steady width, for bars and plain lines.

/// Byte counts in binary units, rounded down so that nothing looks complete too early.
public enum ByteText {
  /// Returns at most eight cells: `512 B`, `12.3 MiB`, `300 MiB`.
  public static func size(_ bytes: Int64) -> String {
    let unit = Unit(for: bytes)
    return "\(unit.short(bytes)) \(unit.name)"
  }

  /// Returns received and expected bytes in the unit of the larger: `12.3/300 MiB`.
  ///
  /// `bound` precedes the expected size, for example `≥` if only a lower bound is known.
  public static func pair(_ received: Int64, of size: Int64, bound: String = "") -> String {
    let unit = Unit(for: max(received, size))
    return "\(unit.short(received))/\(bound)\(unit.short(size)) \(unit.name)"
  }

  /// Returns a part of a file in words: `412 of 450 MiB`.
  static func share(_ part: Int64, of size: Int64) -> String {
    let unit = Unit(for: max(part, size))
    return "\(unit.short(part)) of \(unit.short(size)) \(unit.name)"
  }

  /// Returns bytes per second in at most ten cells: `11.2 MiB/s`. Negative and non-finite values count as 0.
  public static func rate(_ bytesPerSecond: Double) -> String {
    size(Int64(clamping: bytesPerSecond)) + "/s"
  }

  /// Returns a text with one decimal from KiB on, for lines that are read later: `300.0 MiB`.
  public static func precise(_ bytes: Int64) -> String {
    let unit = Unit(for: bytes)
    return "\(unit.decimal(bytes)) \(unit.name)"
  }

  /// Returns at most five cells, for the narrowest lines: `999K`, `12.3M`.
  static func compact(_ bytes: Int64) -> String {
    let unit = Unit(for: bytes)
    return unit.short(bytes) + unit.name.prefix(1)
  }

  /// A power of 1024 and its name.
  private struct Unit {
    let shift: Int64
    let name: String

    private static let names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    init(for bytes: Int64) {
      let index = bytes < 1024 ? 0 : (63 - bytes.leadingZeroBitCount) / 10
      shift = Int64(index) * 10
      name = Self.names[index]
    }

    /// Returns tenths of the unit, rounded down.
    private func tenths(_ bytes: Int64) -> Int64 {
      let bytes = max(0, bytes)
      let whole = bytes >> shift
      let rest = bytes - (whole << shift)
      // As unsigned, ten times the rest of an EiB fits in 64 bits.
      return whole * 10 + Int64((UInt64(rest) * 10) >> UInt64(shift))
    }

    /// Returns three or four digits: one decimal below 100, none from there on.
    func short(_ bytes: Int64) -> String {
      tenths(bytes) < 1000 ? decimal(bytes) : "\(tenths(bytes) / 10)"
    }

    func decimal(_ bytes: Int64) -> String {
      let tenths = tenths(bytes)
      return shift == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
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
