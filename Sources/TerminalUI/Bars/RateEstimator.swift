// The rate of bytes and the time left, smoothed so that both are readable.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Smoothed rate and time left of one transfer, or of many together.
///
/// Exponentially weighted over time, not over samples: how often it is fed does not change the result. It
/// has no clock; give it any that only goes forward. The rate follows within seconds, the time left is computed
/// from a slower average, because people plan with it.
public struct RateEstimator: Sendable {
  private var fast: Average
  private var slow: Average
  private var last: (time: Double, bytes: Int64)?

  /// - Parameters:
  ///   - rateConstant: seconds after which a change of speed shows by two thirds in the rate.
  ///   - etaConstant: the same for the time left.
  public init(rateConstant: Double = 4, etaConstant: Double = 12) {
    fast = Average(constant: rateConstant)
    slow = Average(constant: etaConstant)
  }

  /// Adds a sample: the bytes received in total, at `time` in seconds.
  ///
  /// Fewer bytes than before mean a transfer that started over: the averages are reset. The same bytes
  /// again are a stall, and the rate falls towards 0.
  public mutating func update(time: Double, bytes: Int64) {
    guard let previous = last, bytes >= previous.bytes else {
      reset()
      last = (time, bytes)
      return
    }
    let elapsed = time - previous.time
    // Bytes that come with no time passed are counted with the next step.
    guard elapsed > 0 else { return }
    let speed = (Double(bytes) - Double(previous.bytes)) / elapsed
    fast.add(speed, for: elapsed)
    slow.add(speed, for: elapsed)
    last = (time, bytes)
  }

  /// Resets everything, as for a new transfer.
  public mutating func reset() {
    fast.clear()
    slow.clear()
    last = nil
  }

  /// Bytes a second; nil until a quarter of a second was seen.
  public var rate: Double? {
    fast.elapsed >= 0.25 ? fast.value : nil
  }

  /// Seconds until `size` bytes are received; nil if unknown or more than 99 days.
  public func eta(size: Int64?) -> Double? {
    guard let size, let last, slow.elapsed >= 1, slow.value >= 1 else { return nil }
    let seconds = max(0, Double(size) - Double(last.bytes)) / slow.value
    return seconds <= TimeText.longest ? seconds : nil
  }

  /// An exponentially weighted mean that is not biased towards 0 at its start.
  private struct Average: Sendable {
    let constant: Double
    private(set) var elapsed = 0.0
    private var sum = 0.0
    private var weight = 0.0

    init(constant: Double) {
      self.constant = constant
    }

    var value: Double { weight > 0 ? sum / weight : 0 }

    mutating func add(_ speed: Double, for duration: Double) {
      let kept = exp(-duration / constant)
      sum = sum * kept + speed * (1 - kept)
      weight = weight * kept + (1 - kept)
      elapsed += duration
    }

    mutating func clear() {
      self = Average(constant: constant)
    }
  }
}
