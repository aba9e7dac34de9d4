// The Content-Length field.

/// Why a `Content-Length` cannot be used.
public struct ContentLengthError: ParseError, Sendable {
  /// One line: what was wrong, and what would be right.
  public let message: String
  init(_ message: String) { self.message = message }
}

/// The `Content-Length` (RFC 9110 §8.6).
public enum ContentLength {
  /// Reads all values of the field in one head, in bytes; `nil` where there is none. The same number several times,
  /// in one field or in several, is that number.
  /// - Throws: ``ContentLengthError`` for anything but one number of decimal digits.
  public static func parse(_ values: [String]) throws(ContentLengthError) -> Int64? {
    var result: Int64?
    for value in values {
      for part in Array(value.utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
        guard case .value(let number) = DecimalDigits(part.trimmingBlanks) else {
          throw ContentLengthError("Content-Length is \(quoted(value)), not a number of bytes")
        }
        guard number == result ?? number else {
          throw ContentLengthError("Content-Length has two values, \(result ?? 0) and \(number)")
        }
        result = number
      }
    }
    return result
  }
}
