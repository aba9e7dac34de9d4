// The loop's clock, for code without a loop.

internal import Curl

/// A monotonic clock for durations.
public enum SteadyClock {
  /// Returns seconds since an arbitrary moment. The clock stands still while the machine sleeps.
  public static func now() -> Double { TransferLoop.now() }
}
