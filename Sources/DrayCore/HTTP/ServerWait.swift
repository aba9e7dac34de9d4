/// How long an answer asks its client to wait before the next request, from its status, `Retry-After` and the fields of
/// rate limits.
///
/// | status | `Retry-After` | a limit without requests left | otherwise |
/// |---|---|---|---|
/// | 408, 425, 5xx, and statuses that the user counts as temporary | decides | until its reset | no wait |
/// | 429 | decides | until its reset; a limit that names only a reset counts | no wait |
/// | 403 | decides, and access is not refused | access is not refused; until its reset, if known | a refusal of access |
/// | any other | ignored | until its reset: the next request would be refused | no wait |
///
/// The longest reset counts if several limits have no requests left. A reset lasts at least a second, because servers
/// round it down. Dates are compared with the server's clock.
package struct ServerWait: Sendable, Equatable {
  /// The seconds to wait; `nil` if the answer does not say.
  package private(set) var delay: Int64?
  /// Whether a refusal of access (403) is a rate limit that is used up.
  package private(set) var isLimit = false
  /// The number of requests that the server accepts before ``reset``; `nil` if unknown.
  package private(set) var remaining: Int64?
  /// The seconds for which ``remaining`` applies; `nil` if unknown.
  package private(set) var reset: Int64?

  /// Whether a head may ask for a wait, or say how many requests are left. This test is quick; only if it succeeds is
  /// the head read in full.
  package static func mayBeIn(_ head: ResponseHead) -> Bool { head.status >= 400 || RateLimit.mayBeReported(in: head) }

  /// Reads a head.
  /// - Parameters:
  ///   - now: Seconds since 1970.
  ///   - isTemporary: Whether the user counts the status as temporary.
  package init(_ head: ResponseHead, now: Int64, isTemporary: Bool = false) {
    guard ServerWait.mayBeIn(head) else { return }
    let now = head.serverTime ?? now
    let limits = RateLimit.reported(in: head, now: now)
    let scarcest = limits.filter { $0.remaining != nil }.min { $0.remaining ?? 0 < $1.remaining ?? 0 }
    (remaining, reset) = (scarcest?.remaining, scarcest?.reset)
    let isExhausted = remaining.map { $0 == 0 }
    let used = limits.filter { $0.remaining == 0 }.compactMap(\.reset).max()
    let named = head.status == 429 && isExhausted == nil ? limits.compactMap(\.reset).max() : nil
    let untilReset = (used ?? named).map { max(1, $0) }
    let asked = head.first("retry-after").flatMap { RetryAfter.delay($0, now: now) }
    switch head.status {
    case 403:
      isLimit = asked != nil || isExhausted == true
      delay = asked ?? untilReset
    case _ where isTemporary || StatusRule.mayPass(head.status): delay = asked ?? untilReset
    default: delay = untilReset
    }
  }
}

extension ResponseHead {
  /// The time of the answer by the server's clock: `Date`, plus `Age` from a cache (RFC 9110 §6.6.1, RFC 9111 §5.1);
  /// `nil` without a date.
  public var serverTime: Int64? {
    guard let date = first("date").flatMap({ HTTPDate.parse($0) }) else { return nil }
    guard let age = first("age"), case .value(let seconds) = DecimalDigits(age.utf8) else { return date }
    return date + min(seconds, RetryAfter.longest)
  }
}
