internal import Curl

/// Measurements of a file's network path, for ``ConnectionGrowth``.
struct LineSample {
  /// The seconds of a round trip, by the connection of the first answer.
  let roundTrip: Double
  /// Round trips from opening a connection to its first byte.
  let setUp: Int
  /// Smoothed seconds from the opening of a connection to its first byte.
  private(set) var latency: Double
  /// TCP, TLS 1.3 if it is used, and the request take one round trip each.
  private static let setUps = ["http": 2, "https": 3]
  /// The least number for protocols that log in.
  private static let login = 8
  /// Whether a rate limit holds bytes back, so that more connections cannot help.
  var isHeldBack = false
  /// The last sample of the loop's work: the time, and for how long the loop had waited in total.
  private var last: (time: Double, waited: Double)

  /// - Parameters:
  ///   - info: The times of the first answer.
  ///   - scheme: That of the URL that answered.
  ///   - waited: The seconds that the loop has waited so far.
  init(_ info: TransferInfo, scheme: String, now: Double, waited: Double) {
    (latency, last) = (info.firstByte, (now, waited))
    let handshake = info.connect - info.nameLookup
    roundTrip = info.newConnections > 0 && handshake > 0 ? min(handshake, info.firstByte) : info.firstByte
    setUp = LineSample.setUps[scheme] ?? LineSample.login
  }

  /// Adds the seconds from the opening of a connection to its first byte.
  mutating func hears(after seconds: Double) { latency += (seconds - latency) / 4 }

  /// Returns whether the loop has been busy since the last sample: it then waits less than a tenth of the time.
  mutating func isBusy(now: Double, waited: Double) -> Bool {
    defer { last = (now, waited) }
    let elapsed = now - last.time
    return elapsed > 0 && (waited - last.waited) / elapsed < 0.1
  }
}
