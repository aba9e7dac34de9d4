// The time of day, for what is written down.

import Foundation

enum WallTime {
  /// Seconds since 1970.
  static var now: Double { Date().timeIntervalSince1970 }
}
