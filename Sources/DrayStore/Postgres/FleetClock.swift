// The clock of leases.

import Threads

#if canImport(Glibc)
  import Glibc
#endif

/// A clock that no program sets. It continues while the machine sleeps, because leases also end then.
enum FleetClock {
  /// Returns seconds since an arbitrary moment.
  static func now() -> Double {
    #if canImport(Glibc)
      var time = timespec()
      guard clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return SteadyClock.now() }
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    #else
      return SteadyClock.now()
    #endif
  }
}
