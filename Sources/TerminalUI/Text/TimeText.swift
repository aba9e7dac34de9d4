// Durations as short texts. Longer ones are coarser, so that an ETA does not flicker.

/// Durations as texts of at most six cells.
public enum TimeText {
  /// The maximum estimated time in seconds: 99 days.
  public static let longest = 99 * 86_400.0

  /// Returns the time left: `9 s`, `1:05`, `12 min`, `2 h 05`, `17 h`, `3 d`.
  ///
  /// The steps are 1 s up to half a minute, 5 s up to ten minutes, a minute, five minutes, an hour, a day. The time is
  /// rounded up, so that it is never 0.
  public static func remaining(_ seconds: Double) -> String {
    let whole = max(1, wholeSeconds(seconds))
    switch whole {
    case ...30: return "\(whole) s"
    case ...600:
      let stepped = roundedUp(whole, to: 5)
      return stepped < 60 ? "\(stepped) s" : clock(stepped)
    case ..<3600: return "\(roundedUp(whole, to: 60) / 60) min"
    case ..<36_000:
      let stepped = roundedUp(whole, to: 300)
      return "\(stepped / 3600) h \(twoDigits(stepped % 3600 / 60))"
    case ..<172_800: return "\(roundedUp(whole, to: 3600) / 3600) h"
    default: return "\(roundedUp(whole, to: 86_400) / 86_400) d"
    }
  }

  /// Returns a time to wait: `200 ms` below a second, else as ``elapsed(_:)``.
  public static func delay(_ seconds: Double) -> String {
    seconds < 0.9995 ? "\(Int((max(0, seconds) * 1000).rounded())) ms" : elapsed(seconds)
  }

  /// Returns elapsed time, with seconds below an hour: `26 s`, `1:04`, `2 h 05`.
  public static func elapsed(_ seconds: Double) -> String {
    let whole = wholeSeconds(seconds)
    switch whole {
    case ..<60: return "\(whole) s"
    case ..<3600: return clock(whole)
    default: return "\(whole / 3600) h \(twoDigits(whole % 3600 / 60))"
    }
  }

  private static func clock(_ seconds: Int) -> String {
    "\(seconds / 60):\(twoDigits(seconds % 60))"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static func roundedUp(_ value: Int, to step: Int) -> Int {
    (value + step - 1) / step * step
  }

  /// Returns the seconds rounded up, from 0 to 999 days; 0 for NaN.
  private static func wholeSeconds(_ seconds: Double) -> Int {
    seconds > 0 ? Int(min(seconds.rounded(.up), 999 * 86_400)) : 0
  }
}
