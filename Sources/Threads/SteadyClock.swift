// A clock for durations.

internal import Posix

/// A clock that only goes forward.
public enum SteadyClock {
  /// Seconds since some moment; the clock stands still while the machine sleeps.
  public static func now() -> Double { System.now }
}
