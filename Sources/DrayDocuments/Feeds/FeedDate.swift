// Reads dates in feeds: RFC 3339, and RFC 822 in all common variants.

internal import DrayCore

enum FeedDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// The UTC offsets in hours of the zone names in RFC 822 §5.1.
  private static let zones: [String: Int64] = [
    "ut": 0, "gmt": 0, "utc": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8,
    "pdt": -7, "bst": 1, "cet": 1, "cest": 2, "jst": 9,
  ]

  /// In seconds since 1970; `nil` if the text is not a date.
  static func parse(_ text: String) -> Double? {
    (internet(text) ?? mail(text)).map(Double.init)
  }

  /// `2026-01-31T12:00:00.5+01:00` (RFC 3339). The time, its seconds and the zone are optional, and a space may replace
  /// the `T`.
  private static func internet(_ text: String) -> Int64? {
    let fields = text.split(maxSplits: 1, omittingEmptySubsequences: true) { "Tt ".contains($0) }
    guard let date = fields.first?.split(separator: "-", omittingEmptySubsequences: false), date.count == 3,
      date[0].count == 4, let year = Int64(date[0]), let month = Int(date[1]), let day = Int64(date[2])
    else { return nil }
    guard fields.count == 2 else { return seconds(year, month, day, "00:00", 0) }
    let clock = fields[1].prefix { $0.isNumber || $0 == ":" }
    let rest = fields[1][clock.endIndex...].drop { $0 == "." || $0.isNumber || $0 == " " }
    return zone(rest).flatMap { seconds(year, month, day, clock, $0) }
  }

  /// `Sat, 31 Jan 2026 12:00:00 +0100` (RFC 822, RFC 1123). The weekday, the seconds and the zone are optional, months
  /// may be written in full, and years may have two digits.
  private static func mail(_ text: String) -> Int64? {
    var words = text.lowercased().replacing(",", with: " ").split { $0.isWhitespace }
    if let first = words.first, first.first?.isLetter ?? false, monthNumber(first) == nil { words.removeFirst() }
    guard words.count >= 3 else { return nil }
    // "Jan 31 2026" is common, though invalid.
    if monthNumber(words[0]) != nil { words.swapAt(0, 1) }
    guard let day = Int64(words[0]), let month = monthNumber(words[1]), let year = fullYear(words[2]) else {
      return nil
    }
    let clock = words.count > 3 ? words[3] : "00:00"
    return zone(words.count > 4 ? words[4] : "").flatMap { seconds(year, month, day, clock, $0) }
  }

  private static func monthNumber(_ word: Substring) -> Int? {
    guard word.count >= 3, let index = months.firstIndex(of: String(word.prefix(3))) else { return nil }
    return index + 1
  }

  private static func fullYear(_ word: Substring) -> Int64? {
    guard let year = Int64(word), year >= 0 else { return nil }
    switch word.count {
    case 2: return year < 70 ? 2000 + year : 1900 + year
    case 4: return year
    default: return nil
    }
  }

  /// In seconds east of UTC; 0 without a zone.
  private static func zone(_ text: Substring) -> Int64? {
    guard let sign = text.first else { return 0 }
    guard sign == "+" || sign == "-" else { return zones[text.lowercased()].map { $0 * 3600 } }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.count == 4, let number = Int64(digits), number % 100 < 60 else { return nil }
    return (sign == "-" ? -1 : 1) * (number / 100 * 3600 + number % 100 * 60)
  }

  private static func seconds(_ year: Int64, _ month: Int, _ day: Int64, _ clock: Substring, _ zone: Int64) -> Int64? {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      let second = parts.count == 3 ? parts[2] : 0
    else { return nil }
    return HTTPDate.seconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
      .map { $0 - zone }
  }
}
