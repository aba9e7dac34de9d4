/// Reads and writes counts of bytes. Units are powers of 1024, as in curl.
public enum ByteCount {
  private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  /// Reads `512`, `1.5M`, `10k`, `2GiB`.
  /// - Throws: ``QuantityParseError`` for any other text, including negative and too large numbers.
  public static func parse(_ text: String) throws(QuantityParseError) -> Int64 { try parse(text, as: "size") }

  /// Reads bytes per second, in the same forms or in the forms that dray displays: `2M`, `2 MB/s`, `1.5 MiB/s`.
  /// - Throws: ``QuantityParseError``.
  public static func parseRate(_ text: String) throws(QuantityParseError) -> Int64 {
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

  /// Returns a readable count: `512 B`, `1.5 KiB`, `20.0 MiB`.
  public static func text(_ bytes: Int64) -> String {
    guard bytes >= 1024 else { return "\(bytes) B" }
    var value = Double(bytes)
    var unit = 0
    // Numbers from 1023.95 on would be shown as 1024.0, so they are shown in the next unit.
    while value >= 1023.95, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    return "\((value * 10).rounded() / 10) \(units[unit])"
  }
}
