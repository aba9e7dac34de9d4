// Converts between wall-clock time and moments, in a given zone.

/// A time zone, as the offset of local time from UTC at each moment.
public struct LocalZone: Sendable {
  /// Returns the number of seconds by which local time is ahead of UTC at a moment, given in seconds since 1970.
  public let offset: @Sendable (Double) -> Int

  /// Creates a zone.
  public init(offset: @escaping @Sendable (Double) -> Int) { self.offset = offset }

  /// UTC.
  public static let utc = LocalZone { _ in 0 }

  /// A day, counted from 1970-01-01, and the clock time in seconds since midnight.
  struct Reading: Equatable {
    var day: Int64
    var seconds: Int

    /// The day of the week; 0 is Monday.
    var weekday: Int { LocalZone.weekday(day) }
  }

  /// The limit on moments, in seconds since 1970.
  private static let bound: Int64 = 1 << 50

  /// Returns the day of the week; 0 is Monday.
  static func weekday(_ day: Int64) -> Int { Int(((day + 3) % 7 + 7) % 7) }

  func reading(at moment: Double) -> Reading {
    // Moments are clamped, because no clock shows times beyond the limit.
    let local =
      min(max(Int64(saturating: moment.rounded(.down)), -LocalZone.bound), LocalZone.bound) + Int64(offset(moment))
    let seconds = (local % 86_400 + 86_400) % 86_400
    return Reading(day: (local - seconds) / 86_400, seconds: Int(seconds))
  }

  /// Returns the moments at which clocks show a certain time of a day, in order: two moments if clocks are set back
  /// over that time, none if they are set forward over it.
  func moments(day: Int64, seconds: Int) -> [Double] {
    let local = Double(day * 86_400 + Int64(seconds))
    // Two offsets are enough: an offset is less than a day, and changes less often than every other day.
    let offsets = Set([-86_400.0, 86_400.0].map { offset(local + $0) })
    return offsets.map { local - Double($0) }.filter { local - Double(offset($0)) == $0 }.sorted()
  }

  /// Returns the moment of a clock time on `day`: the first moment if the clock time occurs twice. If clocks are set
  /// forward and skip the clock time, the moment is later by the skipped span.
  func moment(day: Int64, seconds: Int) -> Double {
    let local = Double(day * 86_400 + Int64(seconds))
    return moments(day: day, seconds: seconds).first ?? local - Double(offset(local - 86_400))
  }
}
