// What the connections of one file show of their line.

/// What is known of the line that a file comes over, for ``ConnectionGrowth``.
struct LineSample {
  /// Seconds from opening a connection to its first byte, smoothed.
  private(set) var latency: Double
  /// Packets of all connections that came out of order.
  var outOfOrder = 0
  /// Whether a rate limit holds bytes back: then more connections bring no more.
  var isHeldBack = false
  /// The last sample of the loop's own work: its time, and how long it had waited.
  private var last: (time: Double, waited: Double)

  /// - Parameter waited: the seconds that the loop has waited so far.
  init(latency: Double, now: Double, waited: Double) { (self.latency, last) = (latency, (now, waited)) }

  /// Receives how long a connection took from its opening to its first byte.
  mutating func hears(after seconds: Double) { latency += (seconds - latency) / 4 }

  /// Whether the loop itself has been busy since the last sample: it waited less than a tenth of the time.
  mutating func isBusy(now: Double, waited: Double) -> Bool {
    defer { last = (now, waited) }
    let elapsed = now - last.time
    return elapsed > 0 && (waited - last.waited) / elapsed < 0.1
  }
}
