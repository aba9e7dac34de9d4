/// Measures the network path of a file, for ``ConnectionGrowth``.
struct LineSample {
  /// The seconds from the opening of a connection to its first byte, smoothed.
  private(set) var latency: Double
  /// Whether a rate limit holds bytes back, so that more connections cannot help.
  var isHeldBack = false
  /// The last sample of the loop's work: the time, and for how long the loop had waited in total.
  private var last: (time: Double, waited: Double)

  /// - Parameter waited: For how many seconds the loop has waited so far.
  init(latency: Double, now: Double, waited: Double) { (self.latency, last) = (latency, (now, waited)) }

  /// Adds the seconds from the opening of a connection to its first byte.
  mutating func hears(after seconds: Double) { latency += (seconds - latency) / 4 }

  /// Returns whether the loop has been busy since the last sample: it then waits less than a tenth of the time.
  mutating func isBusy(now: Double, waited: Double) -> Bool {
    defer { last = (now, waited) }
    let elapsed = now - last.time
    return elapsed > 0 && (waited - last.waited) / elapsed < 0.1
  }
}
