// The rate of a transfer as people see it. The runner computes it once, so that all displays show the same number.

/// A rate whose changes are smoothed over a few seconds.
///
/// The mean is weighted by time and not by samples, so the frequency of samples hardly changes it; the first sample
/// counts fully, so the rate does not climb from 0.
public struct SmoothRate: Sendable {
  /// After this many seconds, the time since then counts as much as all the time before it.
  public static let constant = 4.0

  private var last: (count: Int64, time: Double)?
  private var sum = 0.0
  private var weight = 0.0

  /// Creates a rate without samples.
  public init() {}

  /// The rate in units per second; `nil` before the second sample.
  public var value: Double? { weight > 0 ? sum / weight : nil }

  /// Adds a sample: the count at `now`, in seconds of the caller's clock. A lower count means that the transfer started
  /// over.
  public mutating func note(_ count: Int64, now: Double) {
    guard let last, count >= last.count else {
      self = SmoothRate()
      return self.last = (count, now)
    }
    let elapsed = now - last.time
    // If no time has passed since the last sample, these units are counted with the next sample.
    guard elapsed > 0 else { return }
    let kept = SmoothRate.constant / (SmoothRate.constant + elapsed)
    sum = sum * kept + (Double(count) - Double(last.count)) / elapsed * (1 - kept)
    weight = weight * kept + (1 - kept)
    self.last = (count, now)
  }
}
