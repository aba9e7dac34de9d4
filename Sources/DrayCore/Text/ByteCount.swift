/// Reads and writes counts of bytes. Units are powers of 1024, as in curl.
package enum ByteCount {
  /// Reads `512`, `1.5M`, `10k`, `2GiB`.
  /// - Throws: ``QuantityParseError`` for any other text, including negative and too large numbers.
  package static func parse(_ text: String) throws(QuantityParseError) -> Int64 { try parse(text, as: "size") }

  /// Reads bytes per second, in the same forms or in the forms that dray displays: `2M`, `2 MB/s`, `1.5 MiB/s`.
  /// - Throws: ``QuantityParseError``.
  package static func parseRate(_ text: String) throws(QuantityParseError) -> Int64 {
    var amount = text.trimmingSpaces()
    if amount.hasSuffix("/s") { amount = amount.dropLast(2).trimmingSpaces() }
    let number = amount.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    return try parse(String(number + amount[number.endIndex...].trimmingSpaces()), as: "rate", typed: text)
  }

  private static func parse(
    _ text: String, as noun: String, typed: String? = nil
  ) throws(QuantityParseError) -> Int64 {
    let typed = typed ?? text
    let bad = QuantityParseError("\(quoted(typed)) is not a \(noun): write it like 500k, 1.5M or 2G")
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    var unit = text[number.endIndex...].lowercased()
    if unit.hasSuffix("ib"), unit.count == 3 { unit.removeLast(2) }
    if unit.hasSuffix("b") { unit.removeLast() }
    guard let power = ["", "k", "m", "g", "t"].firstIndex(of: unit), let value = Double(number), number.last != "."
    else { throw bad }
    let bytes = value * Double(1 << (10 * power))
    guard bytes < Double(Int64.max) else { throw QuantityParseError("the \(noun) \(quoted(typed)) is too large") }
    return Int64(bytes)
  }

  /// Returns a readable count, rounded down: `512 B`, `1.5 KiB`, `20.0 MiB`.
  package static func text(_ bytes: Int64) -> String {
    let unit = ByteUnit(for: bytes)
    return "\(unit.decimal(bytes)) \(unit.name)"
  }

  /// Returns a part of a whole: `412 of 450 MiB`, `5.0 KiB of 450 MiB`, `0 of 450 MiB`. A part that is not the whole
  /// never looks like it: `449.9 of 450.0 MiB`.
  package static func share(_ part: Int64, of whole: Int64) -> String {
    let (mine, unit) = (ByteUnit(for: part), ByteUnit(for: whole))
    if part < whole, mine.name == unit.name, mine.short(part) == unit.short(whole) {
      let (some, all) = (unit.decimal(part), unit.decimal(whole))
      return some == all ? "\(part) of \(whole) B" : "\(some) of \(all) \(unit.name)"
    }
    let all = "\(unit.short(whole)) \(unit.name)"
    return part <= 0 ? "0 of \(all)" : "\(mine.short(part))\(mine.name == unit.name ? "" : " \(mine.name)") of \(all)"
  }
}

/// A power of 1024, in which counts of bytes are shown. They are rounded down, so that nothing looks complete too early.
package struct ByteUnit: Sendable {
  private let shift: Int64
  /// `B`, `KiB`, `MiB` and so on.
  package let name: String

  private static let names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  /// Creates the unit for a count: the largest of which it has at least one.
  package init(for bytes: Int64) {
    let index = bytes < 1024 ? 0 : (63 - bytes.leadingZeroBitCount) / 10
    shift = Int64(index) * 10
    name = ByteUnit.names[index]
  }

  /// Returns tenths of the unit.
  private func tenths(_ bytes: Int64) -> Int64 {
    let bytes = max(0, bytes)
    let whole = bytes >> shift
    let rest = bytes - (whole << shift)
    // As unsigned, ten times the rest of an EiB fits in 64 bits.
    return whole * 10 + Int64((UInt64(rest) * 10) >> UInt64(shift))
  }

  /// Returns three or four digits: one decimal below 100, none from there on.
  package func short(_ bytes: Int64) -> String {
    tenths(bytes) < 1000 ? decimal(bytes) : "\(tenths(bytes) / 10)"
  }

  /// Returns the number with one decimal, or without one for single bytes.
  package func decimal(_ bytes: Int64) -> String {
    let tenths = tenths(bytes)
    return shift == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
