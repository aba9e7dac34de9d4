/// Spans of time as text.
package enum TimeSpan {
  /// Reads `30`, `1.5`, `30s`, `500ms`, `2m`, `1h`.
  /// - Returns: Seconds.
  /// - Throws: ``QuantityParseError`` for any other text, including negative spans.
  package static func parse(_ text: String) throws(QuantityParseError) -> Double {
    let bad = QuantityParseError("\(quoted(text)) is not a span of time: write it like 30, 1.5s, 2m or 1h")
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let factors: [String: Double] = ["": 1, "s": 1, "ms": 0.001, "m": 60, "min": 60, "h": 3600, "d": 86_400]
    guard let factor = factors[text[number.endIndex...].lowercased()], let value = Double(number), number.last != ".",
      value * factor < 1e9
    else { throw bad }
    return value * factor
  }

  /// Returns a readable duration: `3 s`, `1 min 04 s`, `2 h 05 min`, `3 d 4 h`.
  package static func text(_ seconds: Double) -> String {
    guard seconds < 1e12 else { return "ages" }
    let whole = Int64(max(0, seconds).rounded())
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    switch whole {
    case ..<60: return "\(whole) s"
    case ..<3600: return "\(whole / 60) min \(two(whole % 60)) s"
    case ..<86_400: return "\(whole / 3600) h \(two(whole / 60 % 60)) min"
    default: return "\(whole / 86_400) d \(whole / 3600 % 24) h"
    }
  }
}
