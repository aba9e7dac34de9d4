// The smoothed, readable rate and time left.

internal import Posix

/// The smoothed rate and time left of one or more transfers.
///
/// Averages are weighted exponentially over time and not over samples, so the frequency of samples does not change the
/// result. The estimator has no clock; any monotonic one will do. The rate follows within seconds. The time left uses a
/// slower average, because people plan with it.
public struct ProgressEstimator: Sendable {
  private var fast: Average
  private var slow: Average
  private var last: (time: Double, bytes: Int64)?

  /// - Parameters:
  ///   - rateConstant: The seconds after which the rate shows two thirds of a change.
  ///   - etaConstant: The seconds after which the time left shows two thirds of a change.
  public init(rateConstant: Double = 4, etaConstant: Double = 12) {
    fast = Average(constant: rateConstant)
    slow = Average(constant: etaConstant)
  }

  /// Adds a sample: the total of received bytes at `time` in seconds.
  ///
  /// A lower total means that the transfer started over, and resets the averages. An unchanged total is a stall, and
  /// the rate falls towards 0.
  public mutating func update(time: Double, bytes: Int64) {
    guard let previous = last, bytes >= previous.bytes else {
      reset()
      last = (time, bytes)
      return
    }
    let elapsed = time - previous.time
    // Bytes that arrive at the time of the last sample count in the next step.
    guard elapsed > 0 else { return }
    let speed = (Double(bytes) - Double(previous.bytes)) / elapsed
    fast.add(speed, for: elapsed)
    slow.add(speed, for: elapsed)
    last = (time, bytes)
  }

  public mutating func reset() {
    fast.clear()
    slow.clear()
    last = nil
  }

  /// The rate in bytes per second; `nil` before a quarter of a second has passed.
  public var rate: Double? {
    fast.elapsed >= 0.25 ? fast.value : nil
  }

  /// Returns the seconds until `size` bytes are received; `nil` if unknown or more than 99 days.
  public func eta(size: Int64?) -> Double? {
    guard let size, let last, slow.elapsed >= 1, slow.value >= 1 else { return nil }
    let seconds = max(0, Double(size) - Double(last.bytes)) / slow.value
    return seconds <= TimeText.longest ? seconds : nil
  }

  /// An exponentially weighted mean without the usual bias towards 0 at its start.
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
      let kept = System.exp(-duration / constant)
      sum = sum * kept + speed * (1 - kept)
      weight = weight * kept + (1 - kept)
      elapsed += duration
    }

    mutating func clear() {
      self = Average(constant: constant)
    }
  }
}
