// Values that are kept as JSON in one column. Rows that were added together share such texts, so the last one is kept.

import DrayCore
import FoundationEssentials

/// Writes and reads one column of JSON; the same value as in the last row costs a comparison only.
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

  /// The JSON of a value; the same value always gives the same text.
  static func text(_ value: Value) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// The value of a JSON text.
  static func value(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }
}

/// The column of a request without its URL, which has a column of its own.
struct RequestColumn {
  /// Stands in the JSON for the URL that is not there.
  private static let placeholder = Result { try RequestURL.parse("http://url.invalid/").url }
  private var column = JSONColumn<TransferRequest>()

  mutating func encode(_ request: TransferRequest) throws -> String {
    var rest = request
    rest.url = try Self.placeholder.get()
    return try column.encode(rest)
  }

  mutating func decode(_ text: String, url: RequestURL) throws -> TransferRequest {
    var request = try column.decode(text)
    request.url = url
    return request
  }
}
