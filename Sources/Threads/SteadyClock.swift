// A monotonic clock for durations.

internal import Posix

public enum SteadyClock {
  /// Returns seconds since an arbitrary moment. The clock stands still while the machine sleeps.
  public static func now() -> Double { System.now }
}
