// Times as users type them: a time of day, a date, a span from now.

/// Reads times, in local time.
package enum DateText {
  /// Reads a start time: `23:00` (the next time that the clocks show it), `2026-11-22`, `2026-11-22T01:00`, `+2h`. If
  /// the clocks skip the time, the start is later by the skipped span. Seconds may follow the minutes, and `Z` for UTC
  /// may follow a date with a time. `@1795312800` means seconds since 1970, as in date(1), and may be in the past.
  /// - Returns: Seconds since 1970, later than `now` except for `@`.
  /// - Throws: ``QuantityParseError`` for any other text, including past times.
  package static func parseStart(_ text: String, now: Double, zone: LocalZone) throws(QuantityParseError) -> Double {
    if text.hasPrefix("@"), let time = Double(text.dropFirst()), time >= 0, time < 1e12 { return time }
    if text.hasPrefix("+") { return now + (try TimeSpan.parse(String(text.dropFirst()))) }
    if let seconds = timeOfDay(text) {
      // Two days are enough: if the clocks skip the time on one day, they do not skip it on the next.
      let today = zone.reading(at: now).day
      let shown = (today...today + 2).flatMap { zone.moments(day: $0, seconds: seconds) }
      if let next = shown.first(where: { $0 > now }) { return next }
    }
    let times = moments(of: text, zone)
    guard let last = times.last else {
      throw QuantityParseError("\(quoted(text)) is not a time: write it like 23:00, 2026-11-22T01:00 or +2h")
    }
    let time = times.first { $0 > now } ?? last
    guard time > now else { throw QuantityParseError("\(quoted(text)) is in the past: use a future time") }
    return time
  }

  /// Reads a past time: a span before `now` (`2d`, `90m`), `08:00` (the last time that the clocks showed it),
  /// `2026-11-20`, `2026-11-20T08:00`.
  /// - Returns: Seconds since 1970.
  /// - Throws: ``QuantityParseError`` for any other text.
  package static func parsePast(_ text: String, now: Double, zone: LocalZone) throws(QuantityParseError) -> Double {
    if let seconds = timeOfDay(text) {
      let today = zone.reading(at: now).day
      let shown = (today - 2...today).flatMap { zone.moments(day: $0, seconds: seconds) }
      if let last = shown.last(where: { $0 <= now }) { return last }
    }
    if let time = moments(of: text, zone).first { return time }
    do throws(QuantityParseError) { return now - (try TimeSpan.parse(text)) } catch {
      throw QuantityParseError("\(quoted(text)) is not a time: write it like 2d, 12h, 08:00 or 2026-11-20")
    }
  }

  /// Reads `8:00`, `23:00` or `23:00:30` as seconds since midnight.
  static func timeOfDay(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let hour = number(parts[0], 1...2), hour < 24 else { return nil }
    var seconds = hour * 3600
    for (part, factor) in zip(parts.dropFirst(), [60, 1]) {
      guard let value = number(part, 2...2), value < 60 else { return nil }
      seconds += value * factor
    }
    return seconds
  }

  /// Returns the moments of a date, with or without a time: two if the clocks show that time twice.
  private static func moments(of text: String, _ zone: LocalZone) -> [Double] {
    var rest = text[...]
    var zone = zone
    if rest.hasSuffix("Z"), rest.contains("T") {
      rest.removeLast()
      zone = .utc
    }
    let parts = rest.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
    let numbers = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 3, let year = number(numbers[0], 4...4), let month = number(numbers[1], 2...2),
      let day = number(numbers[2], 2...2), (1...12).contains(month), day > 0
    else { return [] }
    let count = HTTPDate.days(Int64(year), month, Int64(day))
    // A day beyond the end of its month is refused, because it would become a day of the next month.
    guard HTTPDate.civil(count) == (Int64(year), month, day) else { return [] }
    guard let seconds = parts.count == 2 ? timeOfDay(parts[1]) : 0 else { return [] }
    let shown = zone.moments(day: count, seconds: seconds)
    return shown.isEmpty ? [zone.moment(day: count, seconds: seconds)] : shown
  }

  private static func number(_ text: some StringProtocol, _ lengths: ClosedRange<Int>) -> Int? {
    guard lengths.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }
}
