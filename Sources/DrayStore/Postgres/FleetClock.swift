// The clock of leases.

import Threads

/// A clock that no program sets. It continues while the machine sleeps, because leases also end then.
enum FleetClock {
  /// Returns seconds since an arbitrary moment.
  static func now() -> Double { WallClock.bootClock() }
}
