// Bytes and rates as short texts of steady width, for bars and plain lines.

/// Byte counts in binary units. Values are rounded down, so that nothing looks done before it is.
public enum ByteText {
  /// At most eight cells: `512 B`, `12.3 MiB`, `300 MiB`.
  public static func size(_ bytes: Int64) -> String {
    let unit = Unit(for: bytes)
    return "\(unit.short(bytes)) \(unit.name)"
  }

  /// Received of expected bytes, in the unit of the larger: `12.3/300 MiB`.
  ///
  /// `bound` is put before the expected size: `≥` if only a lower bound is known.
  public static func pair(_ received: Int64, of size: Int64, bound: String = "") -> String {
    let unit = Unit(for: max(received, size))
    return "\(unit.short(received))/\(bound)\(unit.short(size)) \(unit.name)"
  }

  /// Bytes a second, at most ten cells: `11.2 MiB/s`. Negative and not finite values count as 0.
  public static func rate(_ bytesPerSecond: Double) -> String {
    size(Int64(clamping: bytesPerSecond)) + "/s"
  }

  /// One decimal from KiB on, for lines that are read later and not watched: `300.0 MiB`.
  public static func precise(_ bytes: Int64) -> String {
    let unit = Unit(for: bytes)
    return "\(unit.decimal(bytes)) \(unit.name)"
  }

  /// At most five cells, for the narrowest lines: `999K`, `12.3M`.
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

    /// Tenths of the unit, rounded down.
    private func tenths(_ bytes: Int64) -> Int64 {
      let bytes = max(0, bytes)
      let whole = bytes >> shift
      let rest = bytes - (whole << shift)
      // Unsigned, ten times the rest of an EiB still stays within 64 bits.
      return whole * 10 + Int64((UInt64(rest) * 10) >> UInt64(shift))
    }

    /// Three digits or four: a decimal below 100, none from there on.
    func short(_ bytes: Int64) -> String {
      tenths(bytes) < 1000 ? decimal(bytes) : "\(tenths(bytes) / 10)"
    }

    func decimal(_ bytes: Int64) -> String {
      let tenths = tenths(bytes)
      return shift == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
  }
}

/// Whole percents of byte counts, in integers: 29 of 100 must not come out as 28.
enum Percent {
  /// Percents of `size` that `part` is, rounded down, 0 to 100; 0 of nothing.
  static func floor(_ part: Int64, of size: Int64) -> Int {
    guard size > 0 else { return 0 }
    let hundredfold = min(size, max(0, part)).multipliedFullWidth(by: 100)
    return Int(size.dividingFullWidth(hundredfold).quotient)
  }
}

extension Int64 {
  /// The nearest value in the range of 0 to a quarter of the maximum; 0 for what is not a number.
  fileprivate init(clamping value: Double) {
    self = value > 0 ? Int64(Swift.min(value, Double(Int64.max / 4))) : 0
  }
}
