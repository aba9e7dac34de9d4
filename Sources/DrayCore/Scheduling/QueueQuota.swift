/// How many bytes a named queue may receive in each hour, day, week or month.
public struct QueueQuota: Sendable, Equatable, Codable {
  /// A period of the calendar, in local time. A week begins on Monday.
  public enum Period: String, Sendable, Codable, CaseIterable {
    case hour, day, week, month
  }

  /// The maximum number of bytes in each period.
  public var bytes: Int64
  /// The period.
  public var period: Period

  /// Creates a quota.
  public init(bytes: Int64, period: Period) { (self.bytes, self.period) = (bytes, period) }

  /// Reads a text such as `10G/day`.
  /// - Throws: ``QuantityParseError`` for any other text, and for 0 bytes.
  public static func parse(_ text: String) throws(QuantityParseError) -> QueueQuota {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let period = Period(rawValue: parts[1].lowercased()) else {
      throw QuantityParseError("\(quoted(text)) is not a quota: write it like 10G/day; hour, week and month work, too")
    }
    // Without a unit, the number would mean bytes, which the user surely did not intend.
    guard parts[0].last?.isLetter ?? true || parts[0] == "0" else {
      throw QuantityParseError("\(quoted(text)) has no unit: write \(parts[0])G/\(period.rawValue), or K, M, T")
    }
    let bytes = try ByteCount.parse(String(parts[0]))
    guard bytes > 0 else {
      throw QuantityParseError("a quota of 0 would never be enough: write off for none, or pause the queue")
    }
    return QueueQuota(bytes: bytes, period: period)
  }

  /// The form that people read, such as `10.0 GiB/day`.
  public var text: String { "\(ByteCount.text(bytes))/\(period.rawValue)" }

  /// The form that ``parse(_:)`` reads back without rounding.
  public var exactText: String { "\(bytes)B/\(period.rawValue)" }

  /// Returns the beginning of the period that contains `moment`, both in seconds since 1970.
  package func begin(at moment: Double, zone: LocalZone) -> Double {
    let now = zone.reading(at: moment)
    switch period {
    case .hour:
      // If the clocks are set back and show an hour twice, both hours count as one period.
      return min(zone.moment(day: now.day, seconds: now.seconds / 3600 * 3600), moment)
    case .day, .week, .month:
      return zone.moment(day: firstDay(now.day), seconds: 0)
    }
  }

  /// Returns the beginning of the next period, in seconds since 1970.
  package func end(at moment: Double, zone: LocalZone) -> Double {
    let now = zone.reading(at: moment)
    switch period {
    case .hour:
      let next = zone.moment(day: now.day, seconds: now.seconds / 3600 * 3600 + 3600)
      return next > moment ? next : moment + 3600
    case .day: return zone.moment(day: now.day + 1, seconds: 0)
    case .week: return zone.moment(day: firstDay(now.day) + 7, seconds: 0)
    case .month:
      let (year, month, _) = HTTPDate.civil(now.day)
      let next = month == 12 ? HTTPDate.days(year + 1, 1, 1) : HTTPDate.days(year, month + 1, 1)
      return zone.moment(day: next, seconds: 0)
    }
  }

  /// Returns the first day of the period that contains `day`.
  private func firstDay(_ day: Int64) -> Int64 {
    switch period {
    case .hour, .day: day
    case .week: day - Int64(LocalZone.weekday(day))
    case .month: day - Int64(HTTPDate.civil(day).2) + 1
    }
  }
}
