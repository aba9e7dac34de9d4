// The clock of the loop, for those who have no loop.

internal import Curl

/// A clock that only goes forward, for what lasts.
public enum SteadyClock {
  /// Seconds since some moment; it stands still while the machine sleeps.
  public static func now() -> Double { TransferLoop.now() }
}
