internal import DrayCore
internal import FoundationEssentials

/// Encodes and decodes one JSON column. Rows that were added together often have the same value, so the last value is
/// cached, and an equal one costs only a comparison.
struct JSONColumn<Value: Codable & Equatable> {
  private var value: Value?
  private var text = ""

  mutating func encode(_ new: Value) throws -> String {
    if value == new { return text }
    text = try JSONColumn.text(new)
    value = new
    return text
  }

  mutating func decode(_ new: String) throws -> Value {
    if let value, text == new { return value }
    let decoded = try JSONColumn.value(new)
    (value, text) = (decoded, new)
    return decoded
  }

  /// Returns the JSON text; equal values give equal texts.
  static func text(_ value: Value) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func value(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }
}
