/// How many requests to a server may start in a certain time (`--pace`): `10/s`, `30/m`, `1/2s`.
public struct RequestPace: Sendable, Equatable, Codable, CustomStringConvertible {
  /// The number of requests.
  public let count: Double
  /// The time in which that many requests may start, in seconds.
  public let period: Double

  /// Creates a pace; the result is `nil` if the pace allows more than a thousand requests a second, or less than one in
  /// ten days.
  public init?(count: Double, period: Double) {
    guard count >= 0.001, period >= 0.001, RequestPace.pauses.contains(period / count) else { return nil }
    (self.count, self.period) = (count, period)
  }

  /// Reads `10`, `10/s`, `0.5/s`, `30/m`, `1/2s`, `100/h`; a number alone is per second.
  /// - Returns: `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
    guard parts.count <= 2, let count = RequestPace.number(parts[0]) else { return nil }
    let unit = parts.count == 2 ? parts[1] : "s"
    // Allow `s` for one second and `2s` for two. A number without a unit would be ambiguous.
    guard let last = unit.last, last.isLetter,
      let period = try? TimeSpan.parse(unit.first?.isLetter ?? false ? "1" + unit : unit)
    else { return nil }
    self.init(count: count, period: period)
  }

  /// The seconds between the starts of two requests.
  public var pause: Double { period / count }

  /// The text that ``init(_:)`` reads.
  public var description: String {
    let units = [1.0: "s", 60: "m", 3600: "h", 86_400: "d"]
    return "\(RequestPace.text(count))/\(units[period] ?? "\(RequestPace.text(period))s")"
  }

  private static let pauses = 0.001...864_000

  private static func number(_ text: String) -> Double? {
    guard text.utf8.count < 20, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }), text.last != "." else {
      return nil
    }
    return Double(text)
  }

  private static func text(_ number: Double) -> String { Int64(exactly: number).map { "\($0)" } ?? "\(number)" }
}

extension TransferRequest {
  /// Whether requests may start so often that several connections to one file make sense.
  public var isBrisk: Bool { (pace?.pause ?? 0) + (jitter ?? 0) <= 1 }
}

/// The time at which the last request to an origin starts, among all processes. All times are in seconds of the same
/// clock.
package struct PaceRecord: Sendable, Equatable {
  /// The start of that request, which may be in the future.
  package var start: Double
  /// The pause after this request.
  package var pause: Double
  /// The time at which the start was reserved. If the clock now shows an earlier time, it was set back, and the record
  /// is void.
  package var reservedAt: Double

  /// Creates a record.
  package init(start: Double, pause: Double, reservedAt: Double) {
    (self.start, self.pause, self.reservedAt) = (start, pause, reservedAt)
  }

  /// The seconds by which a request may be late without delaying the next ones.
  static let slack = 0.05

  /// Reserves the start of the next request. If two consecutive requests have different pauses, the shorter pause
  /// applies between them, because the user allows it at this server.
  ///
  /// A start that is at most half a pause late still counts as punctual, so that short delays of a process do not add
  /// up. After a longer delay, missed requests are not made up for.
  /// - Parameter pause: The seconds that must pass before another request may follow.
  package static func next(after last: PaceRecord?, pause: Double, now: Double) -> PaceRecord {
    var start = now
    if let last, last.reservedAt <= now {
      let due = last.start + min(last.pause, pause)
      if due >= now - min(pause / 2, slack) { start = due }
    }
    return PaceRecord(start: start, pause: pause, reservedAt: now)
  }
}
