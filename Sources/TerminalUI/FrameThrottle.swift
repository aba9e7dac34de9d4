// How often the bars are drawn: often enough to look live, rarely enough to cost little.

/// Lets a frame through at most ten times a second. It has no clock: tests pass any time.
public struct FrameThrottle: Sendable {
  private let interval: Double
  private var last: Double?

  /// - Parameter framesPerSecond: the highest rate that is let through.
  public init(framesPerSecond: Double = 10) {
    interval = 1 / framesPerSecond
  }

  /// Whether a frame is due at `now`, in seconds; counts it as drawn if so.
  ///
  /// A clock that went back lets the frame through: frozen bars would be worse.
  public mutating func shouldDraw(now: Double) -> Bool {
    if let last, now >= last, now - last < interval { return false }
    last = now
    return true
  }
}
