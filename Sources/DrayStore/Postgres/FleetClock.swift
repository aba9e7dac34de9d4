internal import Threads

/// The clock by which leases are measured, which no program can set. It goes on while the machine sleeps, because
/// leases end then, too.
enum FleetClock {
  /// Seconds since an arbitrary moment.
  static func now() -> Double { WallClock.bootClock() }
}
