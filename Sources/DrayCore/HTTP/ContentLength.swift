/// An invalid `Content-Length`.
package struct ContentLengthError: ParseError, Sendable {
  /// The reason, on one line.
  package let message: String
}

/// The `Content-Length` of an answer (RFC 9110 §8.6).
package enum ContentLength {
  /// Returns the length in bytes, from all `Content-Length` values of an answer; `nil` if there is none.
  ///
  /// The same number several times, in one value or in several, counts once (RFC 9112 §6.3). Any other combination
  /// leaves the end of the body in doubt.
  ///
  /// - Throws: ``ContentLengthError``.
  package static func parse(_ values: [String]) throws(ContentLengthError) -> Int64? {
    var length: Int64?
    for value in values {
      for item in Array(value.utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
        let number = try number(item.trimmingBlanks, in: value)
        guard length == nil || length == number else {
          throw ContentLengthError(message: "Content-Length has different values: \(length ?? 0) and \(number)")
        }
        length = number
      }
    }
    return length
  }

  private static func number(_ item: ArraySlice<UInt8>, in value: String) throws(ContentLengthError) -> Int64 {
    switch DecimalDigits(item) {
    case .value(let number): return number
    case .overflow: throw ContentLengthError(message: "Content-Length \(quoted(value)) is too large")
    case .malformed: throw ContentLengthError(message: "Content-Length \(quoted(value)) is not a number of bytes")
    }
  }
}
