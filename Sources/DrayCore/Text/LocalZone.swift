// Local time: from wall-clock time to the instant it stands for, in the given zone.

/// A time zone, as the offset that local time has from UTC at each moment.
public struct LocalZone: Sendable {
  /// Seconds that local time is ahead of UTC at a moment, in seconds since 1970.
  public let offset: @Sendable (Double) -> Int

  /// Makes a zone.
  public init(offset: @escaping @Sendable (Double) -> Int) { self.offset = offset }

  /// UTC.
  public static let utc = LocalZone { _ in 0 }

  /// A day, counted from 1970-01-01, and the seconds that its clock shows.
  struct Reading: Equatable {
    var day: Int64
    var seconds: Int

    /// The day of the week; 0 is Monday.
    var weekday: Int { LocalZone.weekday(day) }
  }

  /// The last accepted moment, in seconds since 1970.
  private static let bound: Int64 = 1 << 50

  /// The day of the week of a day; 0 is Monday.
  static func weekday(_ day: Int64) -> Int { Int(((day + 3) % 7 + 7) % 7) }

  /// What the clock shows at `moment`.
  func reading(at moment: Double) -> Reading {
    // No clock shows later times.
    let local =
      min(max(Int64(saturating: moment.rounded(.down)), -LocalZone.bound), LocalZone.bound) + Int64(offset(moment))
    let seconds = (local % 86_400 + 86_400) % 86_400
    return Reading(day: (local - seconds) / 86_400, seconds: Int(seconds))
  }

  /// When the clock shows `seconds` on `day`. A time that comes twice, as clocks are put back, is the first of the two;
  /// one that never comes is as much later as they are put forward.
  func moment(day: Int64, seconds: Int) -> Double {
    let local = Double(day * 86_400 + Int64(seconds))
    // Offsets are less than a day, and change less often than every other day.
    let candidates = [-86_400.0, 86_400.0].map { local - Double(offset(local + $0)) }
    let valid = candidates.filter { local - Double(offset($0)) == $0 }
    return valid.min() ?? candidates[0]
  }
}
