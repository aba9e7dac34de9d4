/// Measurements of a file's network path, for ``ConnectionGrowth``.
struct LineSample {
  /// Smoothed seconds from the opening of a connection to its first byte.
  private(set) var latency: Double
  /// Whether a rate limit holds bytes back, so that more connections cannot help.
  var isHeldBack = false
  /// The last sample of the loop's work: the time, and the loop's total waiting time.
  private var last: (time: Double, waited: Double)

  /// - Parameter waited: The seconds that the loop has waited so far.
  init(latency: Double, now: Double, waited: Double) { (self.latency, last) = (latency, (now, waited)) }

  /// Seconds from the opening of a connection to its first byte.
  mutating func hears(after seconds: Double) { latency += (seconds - latency) / 4 }

  /// Since the last sample. A busy loop waits less than a tenth of the time.
  mutating func isBusy(now: Double, waited: Double) -> Bool {
    defer { last = (now, waited) }
    let elapsed = now - last.time
    return elapsed > 0 && (waited - last.waited) / elapsed < 0.1
  }
}
