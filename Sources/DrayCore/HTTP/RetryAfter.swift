/// The `Retry-After` field (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// The longest delay that is returned, in seconds: a year.
  package static let longest: Int64 = 365 * 86_400

  /// Returns the seconds to wait; `nil` if the value is neither a number nor a date.
  /// - Parameter now: Seconds since 1970.
  package static func delay(_ value: String, now: Int64) -> Int64? {
    switch DecimalDigits(Array(value.utf8)[...].trimmingBlanks) {
    case .value(let seconds): min(seconds, longest)
    case .overflow: longest
    case .malformed: HTTPDate.parse(value, now: now).map { min(max(0, $0 - now), longest) }
    }
  }
}
