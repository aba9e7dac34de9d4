internal import Threads

/// The clock of leases, which no program sets. It continues while the machine sleeps, because leases also end then.
enum FleetClock {
  /// Seconds since an arbitrary moment.
  static func now() -> Double { WallClock.bootClock() }
}
