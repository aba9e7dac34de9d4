/// A limit on the total rate of all jobs, in bytes per second: constant, or by the time of day and week, as in rclone's
/// --bwlimit.
public enum RateRule: Sendable, Equatable {
  /// A constant limit; `nil` means no limit.
  case fixed(Int64?)
  /// A limit by time of day and day of the week.
  case timetable(RateTimetable)

  /// Reads `2M`, `off`, or a timetable: `08:00,512k 19:00,10M 23:00,off`. A time may have a day before it
  /// (`Mon-08:00,512k`). Rates are in bytes per second.
  /// - Throws: ``QuantityParseError`` for any other text, and for a rate of 0.
  public static func parse(_ text: String) throws(QuantityParseError) -> RateRule {
    if text.contains(":") || text.contains(",") { return .timetable(try RateTimetable.parse(text)) }
    return .fixed(try rate(text))
  }

  /// Returns the rate at `moment`, in seconds since 1970; `nil` for no limit.
  public func rate(at moment: Double, zone: LocalZone) -> Int64? {
    switch self {
    case .fixed(let rate): rate
    case .timetable(let table): table.rate(at: moment, zone: zone)
    }
  }

  /// Returns the time of the next change and the new rate; `nil` if the rate never changes.
  public func nextChange(after moment: Double, zone: LocalZone) -> (moment: Double, rate: Int64?)? {
    switch self {
    case .fixed: nil
    case .timetable(let table): table.nextChange(after: moment, zone: zone)
    }
  }

  static func rate(_ text: some StringProtocol) throws(QuantityParseError) -> Int64? {
    if text.lowercased() == "off" { return nil }
    let rate = try ByteCount.parseRate(String(text))
    guard rate > 0 else { throw QuantityParseError("a rate of 0 would never finish: write off for no limit") }
    return rate
  }
}

/// Rates by the time of day and week. Each rate applies until the time of the next rate, even past midnight and past
/// the end of the week.
public struct RateTimetable: Sendable, Equatable {
  private struct Entry: Sendable, Equatable {
    /// Seconds since midnight.
    var time: Int
    var rate: Int64?
  }

  /// The rates of each day, sorted by time; Monday is first.
  private var days: [[Entry]] = Array(repeating: [], count: 7)

  private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  static func parse(_ text: String) throws(QuantityParseError) -> RateTimetable {
    var table = RateTimetable()
    var everyDay: [Entry] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      let parts = word.split(separator: ",", omittingEmptySubsequences: false)
      let bad = QuantityParseError(
        "\(quoted(word)) is not an entry of a timetable: write it like 08:00,512k or Mon-08:00,off")
      guard parts.count == 2 else { throw bad }
      let named = parts[0].split(separator: "-", omittingEmptySubsequences: false)
      let day = named.count == 2 ? names.firstIndex(of: named[0].lowercased()) : nil
      guard named.count == 1 || day != nil, let last = named.last, let time = DateText.timeOfDay(last) else {
        throw bad
      }
      let entry = Entry(time: time, rate: try RateRule.rate(parts[1]))
      if (day.map { table.days[$0] } ?? everyDay).contains(where: { $0.time == time }) {
        throw QuantityParseError("\(quoted(parts[0])) occurs twice in the timetable: remove one")
      }
      if let day { table.days[day].append(entry) } else { everyDay.append(entry) }
    }
    for day in table.days.indices {
      // An entry for one day takes precedence over an entry for all days.
      let own = Set(table.days[day].map(\.time))
      table.days[day] += everyDay.filter { !own.contains($0.time) }
      table.days[day].sort { $0.time < $1.time }
    }
    guard table.days.contains(where: { !$0.isEmpty }) else {
      throw QuantityParseError("a timetable needs an entry: write it like 08:00,512k 19:00,off")
    }
    return table
  }

  func rate(at moment: Double, zone: LocalZone) -> Int64? {
    let today = zone.reading(at: moment).day
    for day in stride(from: today, through: today - 7, by: -1) {
      let begun = days[LocalZone.weekday(day)].last { zone.moment(day: day, seconds: $0.time) <= moment }
      if let begun { return begun.rate }
    }
    return nil
  }

  func nextChange(after moment: Double, zone: LocalZone) -> (moment: Double, rate: Int64?)? {
    let current = rate(at: moment, zone: zone)
    let today = zone.reading(at: moment).day
    for day in today...today + 7 {
      // Sort by moment: when the clocks are set forward, two times may be the same moment.
      for begin in days[LocalZone.weekday(day)].map({ zone.moment(day: day, seconds: $0.time) }).sorted()
      where begin > moment {
        let next = rate(at: begin, zone: zone)
        if next != current { return (begin, next) }
      }
    }
    return nil
  }
}
