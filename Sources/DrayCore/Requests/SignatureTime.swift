/// The time of a signature (`X-Amz-Date`), by the server's clock.
package enum SignatureTime {
  /// Returns a time as `YYYYMMDDTHHMMSSZ`.
  /// - Parameter seconds: Seconds since 1970.
  package static func text(_ seconds: Int64) -> String {
    let (days, rest) = (seconds.quotientRoundedDown(86_400), seconds - seconds.quotientRoundedDown(86_400) * 86_400)
    let (year, month, day) = HTTPDate.civil(days)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let date =
      "\(String(repeating: "0", count: max(0, 4 - "\(year)".count)))\(year)\(two(Int64(month)))\(two(Int64(day)))"
    return "\(date)T\(two(rest / 3600))\(two(rest / 60 % 60))\(two(rest % 60))Z"
  }
}

extension Int64 {
  fileprivate func quotientRoundedDown(_ divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
