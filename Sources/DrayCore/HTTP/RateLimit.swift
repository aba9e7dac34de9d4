// A limit on requests that header fields report: how many are left, and when there will be more.

struct RateLimit: Equatable {
  /// The number of requests left; `nil` if unknown.
  var remaining: Int64?
  /// Seconds until more requests are accepted; `nil` if unknown.
  var reset: Int64?

  /// The maximum length of a field, in bytes (P13).
  private static let longest = 1 << 10

  /// Reads `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers: as a list of named items with `r`
  /// and `t`, or as the dictionary of earlier drafts), and `RateLimit-Remaining` and `RateLimit-Reset` of the first
  /// drafts, with or without `X-` before them. A limit without a reset applies for the window of its policy.
  /// - Parameter now: The time of the answer by the server's clock, in seconds since 1970.
  static func reported(in head: ResponseHead, now: Int64) -> [RateLimit] {
    guard mayBeReported(in: head) else { return [] }
    func values(_ names: String...) -> [String] {
      let all = names.flatMap { head.all($0) }
      return all.reduce(0) { $0 + $1.utf8.count } <= longest ? all : []
    }
    let policies = StructuredField.items(values("ratelimit-policy"))
    let windows = policies.compactMap { $0.numbers["w"] }
    var limits = StructuredField.items(values("ratelimit")).map { item in
      let window = policies.first { $0.key == item.key }.map { $0.numbers["w"] } ?? windows.max()
      return RateLimit(
        remaining: item.numbers["r"] ?? item.numbers["remaining"],
        reset: (item.numbers["t"] ?? item.numbers["reset"]).map { seconds($0, now) } ?? window)
    }
    for (prefix, other) in [("ratelimit-", "ratelimit-"), ("x-ratelimit-", "x-rate-limit-")] {
      func both(_ name: String) -> [String] { values(prefix + name) + (other == prefix ? [] : values(other + name)) }
      let remaining = both("remaining").flatMap(numbers)
      let resets = both("reset").flatMap { text in
        HTTPDate.parse(text).map { [max(0, $0 - now)] } ?? numbers(text).map { seconds($0.value, now) }
      }
      let window = (both("limit").flatMap(numbers).compactMap(\.window) + windows).max()
      if remaining.isEmpty, let last = resets.max() { limits.append(RateLimit(remaining: nil, reset: last)) }
      for (index, one) in remaining.enumerated() {
        let reset = resets.count == remaining.count ? resets[index] : resets.max()
        limits.append(RateLimit(remaining: one.value, reset: reset ?? one.window ?? window))
      }
    }
    return limits
  }

  /// Whether a head may have such a field, judging by the first letters of names; most heads have none.
  static func mayBeReported(in head: ResponseHead) -> Bool { head.fields.contains { mayReport($0.name.utf8) } }

  private static func mayReport(_ name: String.UTF8View) -> Bool {
    switch name.first {
    case UInt8(ascii: "r"), UInt8(ascii: "R"):
      name.count >= 9 && name.prefix(5).map(\.lowercased) == Array("ratel".utf8)
    case UInt8(ascii: "x"), UInt8(ascii: "X"): name.prefix(6).map(\.lowercased) == Array("x-rate".utf8)
    default: false
    }
  }

  /// Reads `0`, `100, 20;w=60`: numbers with windows. Fractions are rounded up. A negative number counts as 0.
  private static func numbers(_ text: String) -> [(value: Int64, window: Int64?)] {
    text.split(separator: ",").compactMap { item in
      let parts = item.split(separator: ";").map { $0.trimmingSpaces() }
      guard let value = parts.first.flatMap(number) else { return nil }
      return (value, parts.dropFirst().lazy.compactMap { $0.hasPrefix("w=") ? number($0.dropFirst(2)) : nil }.first)
    }
  }

  private static func number(_ text: Substring) -> Int64? {
    if text.hasPrefix("-") { return number(text.dropFirst()).map { _ in 0 } }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, case .value(let whole) = DecimalDigits(first.utf8) else { return nil }
    guard parts.count == 2, parts[1].contains(where: { $0 != "0" }) else { return whole }
    return DecimalDigits(parts[1].utf8) == .malformed ? nil : whole + 1
  }

  /// Converts a reset to seconds from now: servers send those, or seconds or milliseconds since 1970.
  private static func seconds(_ value: Int64, _ now: Int64) -> Int64 {
    let left =
      switch value {
      case ..<1_000_000_000: value
      case ..<100_000_000_000: value - now
      default: value / 1000 + 1 - now
      }
    return min(max(0, left), RetryAfter.longest)
  }
}
