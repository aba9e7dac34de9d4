// Measures over the last three seconds how fast a count grows.

/// The rate of a count over the last three seconds. The value has a fixed size, and adding a sample allocates no
/// memory.
package struct RateWindow: Sendable {
  /// The length of the window in seconds: long enough for several bursts of a server that counts in whole seconds.
  package static let span = 3.0
  /// The seconds between two marks. Fifteen marks span the whole window.
  private static let interval = span / 14

  // A ring of marks. Each mark has a time and the count at that time; the ring consists of SIMD vectors, because these
  // are stored inline.
  private var times = SIMD16<Double>(repeating: 0)
  private var counts = SIMD16<Int64>(repeating: 0)
  private var marks = 0
  private var newest = 0
  private var last: Int64

  /// The start of the window, in seconds of the caller's clock.
  package private(set) var start: Double

  /// Creates a window that begins now with this count.
  package init(count: Int64 = 0, now: Double) {
    start = now
    last = count
    mark(count, now)
  }

  /// Adds a sample of the count. If the count falls, the rate falls as well, but not below 0.
  package mutating func note(_ count: Int64, now: Double) {
    last = count
    if now - times[newest] >= Self.interval { mark(count, now) }
  }

  /// Starts again and discards earlier samples.
  package mutating func restart(count: Int64, now: Double) { self = RateWindow(count: count, now: now) }

  /// Returns the growth per second over `span`, or since the start if that was later.
  /// - Parameter span: The length in seconds, at most ``span``.
  package func rate(now: Double, over span: Double = RateWindow.span) -> Double {
    // The rate is computed from the newest mark that is at least as old as `span`, or else from the oldest mark.
    var base = newest
    for back in 0..<marks {
      base = (newest + 16 - back) % 16
      if times[base] <= now - span { break }
    }
    return Double(max(0, last - counts[base])) / max(now - times[base], 0.001)
  }

  private mutating func mark(_ count: Int64, _ now: Double) {
    newest = marks == 0 ? 0 : (newest + 1) % 16
    marks = min(marks + 1, 16)
    times[newest] = now
    counts[newest] = count
  }
}
