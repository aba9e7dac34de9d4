/// An invalid `Content-Range`.
package struct ContentRangeError: ParseError, Sendable {
  /// The reason, on one line.
  package let message: String
}

/// A `Content-Range` in bytes (RFC 9110 §14.4): the range of a 206, or the file's length in a 416.
package enum ContentRange: Hashable, Sendable {
  /// Bytes `[lower, upper)` of a file of `total` bytes; `nil` if the server does not know the total.
  case range(lower: Int64, upper: Int64, total: Int64?)
  /// The file has `total` bytes, and none of the requested ones.
  case unsatisfied(total: Int64)

  /// Reads the field from all its values in an answer; `nil` if there is none.
  ///
  /// An invalid field is not repaired, because a wrong guess would put bytes in the wrong place.
  ///
  /// - Throws: ``ContentRangeError``.
  package static func parse(_ values: [String]) throws(ContentRangeError) -> ContentRange? {
    guard let text = values.first else { return nil }
    guard values.count == 1 else { throw ContentRangeError(message: "Content-Range occurs \(values.count) times") }

    let bytes = Array(text.utf8).trimmingBlanks
    let parts = bytes.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false)
    guard let unit = parts.first, unit.map(\.lowercased).elementsEqual("bytes".utf8) else {
      throw malformed(text, "its unit is not bytes")
    }
    let halves = parts.dropFirst().joined().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard halves.count == 2 else { throw malformed(text, "it is not FIRST-LAST/TOTAL") }

    let total = halves[1].elementsEqual([star]) ? nil : try number(halves[1], in: text)
    if halves[0].elementsEqual([star]) {
      guard let total else { throw malformed(text, "it has neither a range nor a total") }
      return .unsatisfied(total: total)
    }
    let ends = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2 else { throw malformed(text, "it is not FIRST-LAST/TOTAL") }
    let (first, last) = (try number(ends[0], in: text), try number(ends[1], in: text))
    guard first <= last else { throw malformed(text, "it ends before it starts") }
    guard last < total ?? .max else { throw malformed(text, "it ends after the end of the file") }
    return .range(lower: first, upper: last + 1, total: total)
  }

  private static let star = UInt8(ascii: "*")

  private static func number(_ bytes: some Collection<UInt8>, in text: String) throws(ContentRangeError) -> Int64 {
    switch DecimalDigits(bytes) {
    case .value(let value): return value
    case .overflow: throw malformed(text, "a number in it is too large")
    case .malformed: throw malformed(text, "it is not FIRST-LAST/TOTAL")
    }
  }

  private static func malformed(_ text: String, _ reason: String) -> ContentRangeError {
    ContentRangeError(message: "Content-Range \(quoted(text)) is invalid: \(reason)")
  }
}
