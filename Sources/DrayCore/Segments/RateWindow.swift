// The recent rate of a growing count, sampled from time to time, over a window of three seconds.

/// The rate of a count over the last three seconds. It has a fixed size, and adding a sample does not allocate.
public struct RateWindow: Sendable {
  /// How far back it looks, in seconds: long enough to see several bursts of a server that counts in whole seconds.
  public static let span = 3.0
  /// The least time between two marks: fifteen of them reach back over the whole span.
  private static let interval = span / 14

  // A ring of marks, each a time and what the count was; vectors, because they are kept in place.
  private var times = SIMD16<Double>(repeating: 0)
  private var counts = SIMD16<Int64>(repeating: 0)
  private var marks = 0
  private var newest = 0
  private var last: Int64

  /// When it began, in seconds of the caller's clock.
  public private(set) var start: Double

  /// A window that begins now, with this count.
  public init(count: Int64 = 0, now: Double) {
    start = now
    last = count
    mark(count, now)
  }

  /// Adds a sample of the count. If it falls, so does the rate, not below 0.
  public mutating func note(_ count: Int64, now: Double) {
    last = count
    if now - times[newest] >= Self.interval { mark(count, now) }
  }

  /// Starts again: earlier samples no longer count.
  public mutating func restart(count: Int64, now: Double) { self = RateWindow(count: count, now: now) }

  /// Units per second over the span, or since it began if that is less.
  /// - Parameter span: how far back it looks, in seconds, at most ``span``.
  public func rate(now: Double, over span: Double = RateWindow.span) -> Double {
    // The newest mark that is as old as the span; the oldest, where none is.
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
