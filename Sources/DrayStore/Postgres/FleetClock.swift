#if Postgres

internal import Threads

/// The clock by which leases are measured, which no program can set. The clock also runs while the machine sleeps,
/// because leases end during sleep, too.
enum FleetClock {
  /// Seconds since an arbitrary moment.
  static func now() -> Double { WallClock.bootClock() }
}

#endif
