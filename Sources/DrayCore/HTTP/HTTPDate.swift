/// Reads and writes the three forms of HTTP dates (RFC 9110 §5.6.7), with its own calculation of the calendar.
package enum HTTPDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// Returns the seconds since 1970 of a date; `nil` if the date is invalid.
  /// - Parameter now: Seconds since 1970; a year with two digits (RFC 850) is at most 50 years later.
  package static func parse(_ text: String, now: Int64 = 1_767_225_600) -> Int64? {
    if let usual = preferred(text) { return usual }
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map { $0.lowercased() }
    // Sun 06 Nov 1994 08:49:37 GMT | Sunday 06 Nov 94 08:49:37 GMT | Sun Nov  6 08:49:37 1994
    switch words.count {
    case 6 where words[5] == "gmt" || words[5] == "utc":
      let short = digits(words[3], 2...2).map { fullYear($0, now) }
      guard let year = short ?? digits(words[3], 4...4) else { return nil }
      return seconds(day: words[1], month: words[2], year: year, words[4])
    case 5:
      guard let year = digits(words[4], 4...4) else { return nil }
      return seconds(day: words[2], month: words[1], year: year, words[3])
    default:
      return nil
    }
  }

  /// Reads the form of nearly all dates, `Sun, 06 Nov 1994 08:49:37 GMT`, without splitting the text.
  private static func preferred(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.count == 29, bytes[3] == UInt8(ascii: ","), bytes[19] == UInt8(ascii: ":"),
        bytes[22] == UInt8(ascii: ":"), bytes[26] == UInt8(ascii: "G"), bytes[27] == UInt8(ascii: "M"),
        bytes[28] == UInt8(ascii: "T"), [4, 7, 11, 16, 25].allSatisfy({ bytes[$0] == UInt8(ascii: " ") })
      else { return nil }
      func number(_ range: Range<Int>) -> Int64? {
        var value: Int64 = 0
        for index in range {
          guard bytes[index].isDigit else { return nil }
          value = value * 10 + Int64(bytes[index] - 0x30)
        }
        return value
      }
      let month = months.firstIndex { $0.utf8.elementsEqual(bytes[8..<11].lazy.map(\.lowercased)) }
      guard let day = number(5..<7), let month, let year = number(12..<16), let hour = number(17..<19),
        let minute = number(20..<22), let second = number(23..<25)
      else { return nil }
      return seconds(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    }
  }

  /// The times whose year has four digits, 0 to 9999.
  private static let writable: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  /// Returns a date in the preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`. Times outside the years 0 to 9999 are
  /// clamped.
  package static func format(_ seconds: Int64) -> String {
    let seconds = min(max(seconds, writable.lowerBound), writable.upperBound)
    let rest = (seconds % 86_400 + 86_400) % 86_400
    let day = (seconds - rest) / 86_400
    let (year, month, date) = civil(day)
    let name = months[month - 1].prefix(1).uppercased() + months[month - 1].dropFirst()
    let weekday = weekdays[Int(((day + 4) % 7 + 7) % 7)]
    return "\(weekday), \(two(Int64(date))) \(name) \(four(year))"
      + " \(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
  }

  private static func seconds(day: String, month: String, year: Int64, _ time: String) -> Int64? {
    let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { digits(String($0), 2...2) }
    guard let date = digits(day, 1...2), let index = months.firstIndex(of: month), parts.count == 3,
      let hour = parts[0], let minute = parts[1], let second = parts[2]
    else { return nil }
    return self.seconds(year: year, month: index + 1, day: date, hour: hour, minute: minute, second: second)
  }

  /// Returns the seconds since 1970 of a UTC date and time in the Gregorian calendar; `nil` if there is no such date or
  /// time.
  package static func seconds(
    year: Int64, month: Int, day: Int64, hour: Int64, minute: Int64, second: Int64
  ) -> Int64? {
    guard (1...12).contains(month), (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second),
      (0...9999).contains(year), (1...31).contains(day)
    else { return nil }
    let number = days(year, month, day)
    // A day beyond the end of its month is refused, because it would become a day of the next month.
    guard civil(number) == (year, month, Int(day)) else { return nil }
    return number * 86_400 + hour * 3600 + minute * 60 + second
  }

  private static func fullYear(_ two: Int64, _ now: Int64) -> Int64 {
    let this = civil(now / 86_400).0
    let year = this - this % 100 + two
    return year > this + 50 ? year - 100 : year
  }

  private static func digits(_ text: String, _ lengths: ClosedRange<Int>) -> Int64? {
    guard lengths.contains(text.utf8.count), case .value(let value) = DecimalDigits(Array(text.utf8)) else {
      return nil
    }
    return value
  }

  private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
  private static func four(_ value: Int64) -> String {
    String(repeating: "0", count: max(0, 4 - "\(value)".utf8.count)) + "\(value)"
  }

  /// Returns the days since 1970, in the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date
  /// algorithms").
  static func days(_ year: Int64, _ month: Int, _ day: Int64) -> Int64 {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Returns year, month and day; the inverse of ``days(_:_:_:)``.
  static func civil(_ day: Int64) -> (Int64, Int, Int) {
    let z = day + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = Int((5 * dayOfYear + 2) / 153)
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let date = Int(dayOfYear) - (153 * shifted + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date)
  }
}
