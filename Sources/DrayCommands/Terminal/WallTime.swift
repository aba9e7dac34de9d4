// The time of day, for what is written down.

import FoundationEssentials

enum WallTime {
  /// Seconds since 1970.
  static var now: Double { Date().timeIntervalSince1970 }
}
