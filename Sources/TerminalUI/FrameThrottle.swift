// How often the bars are drawn: often enough to live, seldom enough to cost nothing.

/// Lets a frame through at most ten times a second. It holds no clock: tests give it any time they like.
public struct FrameThrottle: Sendable {
  private let interval: Double
  private var last: Double?

  /// - Parameter framesPerSecond: the highest rate that is let through.
  public init(framesPerSecond: Double = 10) {
    interval = 1 / framesPerSecond
  }

  /// Whether a frame is due at `now`, in seconds; counts it as drawn if so.
  ///
  /// A clock that went back lets the frame through: bars that stand still are the worse evil.
  public mutating func shouldDraw(now: Double) -> Bool {
    if let last, now >= last, now - last < interval { return false }
    last = now
    return true
  }
}
