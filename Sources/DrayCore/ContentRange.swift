// The Content-Range field.

/// Why a `Content-Range` cannot be used.
public struct ContentRangeError: ParseError, Sendable {
  /// One line: what was wrong, and what would be right.
  public let message: String
  init(_ message: String) { self.message = message }
}

/// A `Content-Range` in bytes (RFC 9110 §14.4).
public enum ContentRange: Hashable, Sendable {
  /// Bytes `[lower, upper)` of a file of `total` bytes; `nil` where the server does not say how many.
  case range(lower: Int64, upper: Int64, total: Int64?)
  /// No byte: what was asked for lies outside of a file of `total` bytes.
  case unsatisfied(total: Int64)

  /// Reads all values of the field in one head; `nil` where there is none.
  /// - Throws: ``ContentRangeError`` unless it is exactly one, in bytes, well formed and possible.
  public static func parse(_ values: [String]) throws(ContentRangeError) -> ContentRange? {
    guard let value = values.first else { return nil }
    guard values.count == 1 else { throw ContentRangeError("Content-Range is there \(values.count) times") }
    let bytes = Array(value.utf8)[...].trimmingBlanks
    let bad = ContentRangeError("Content-Range is \(quoted(value)), not like \"bytes 0-99/100\"")

    guard let space = bytes.firstIndex(where: \.isBlank), bytes[..<space].map(\.lowercased) == Array("bytes".utf8),
      let slash = bytes.firstIndex(of: UInt8(ascii: "/"))
    else { throw bad }
    let span = bytes[space..<slash].trimmingBlanks
    let after = bytes[(slash + 1)...].trimmingBlanks
    let total: Int64? = after.elementsEqual("*".utf8) ? nil : try number(after, bad)

    if span.elementsEqual("*".utf8) {
      guard let total else { throw bad }
      return .unsatisfied(total: total)
    }
    guard let dash = span.firstIndex(of: UInt8(ascii: "-")) else { throw bad }
    let first = try number(span[..<dash], bad)
    let last = try number(span[(dash + 1)...], bad)
    guard first <= last, last < .max, last < total ?? .max else { throw bad }
    return .range(lower: first, upper: last + 1, total: total)
  }

  private static func number(_ bytes: some Collection<UInt8>, _ bad: ContentRangeError) throws(ContentRangeError)
    -> Int64
  {
    guard case .value(let value) = DecimalDigits(bytes) else { throw bad }
    return value
  }
}
