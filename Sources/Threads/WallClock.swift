// The time of day, for records and dates.

internal import Glibc

/// The time of day.
public enum WallClock {
  /// Seconds since 1970.
  public static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
