internal import Curl

/// Measurements of a file's network path, for ``ConnectionGrowth``.
struct LineSample {
  /// The seconds of a round trip, measured on the connection of the first answer.
  let roundTrip: Double
  /// The number of round trips from opening a connection to its first byte.
  let setUp: Int
  /// The smoothed number of seconds from opening a connection to its first byte.
  private(set) var latency: Double
  /// TCP, TLS 1.3 if it is used, and the request take one round trip each.
  private static let setUps = ["http": 2, "https": 3]
  /// The minimum number of round trips for protocols with a login.
  private static let login = 8
  /// Whether a rate limit holds back bytes, so that more connections cannot help.
  var isHeldBack = false
  /// The last sample of the loop's work: its time, and how long the loop had waited in total.
  private var last: (time: Double, waited: Double)
  private var wasBusy = false
  /// A shorter time shows single reads and writes, not the work of the loop.
  private static let busySeconds = 0.025

  /// - Parameters:
  ///   - info: The timing of the first answer.
  ///   - scheme: The scheme of the URL that answered.
  ///   - waited: The seconds that the loop has waited so far.
  init(_ info: TransferInfo, scheme: String, now: Double, waited: Double) {
    (latency, last) = (info.firstByte, (now, waited))
    let handshake = info.connect - info.nameLookup
    roundTrip = info.newConnections > 0 && handshake > 0 ? min(handshake, info.firstByte) : info.firstByte
    setUp = LineSample.setUps[scheme] ?? LineSample.login
  }

  /// - Parameter seconds: From opening the first connection over a further line to its first byte.
  init(firstByte seconds: Double, scheme: String, now: Double, waited: Double) {
    (latency, last) = (seconds, (now, waited))
    setUp = LineSample.setUps[scheme] ?? LineSample.login
    roundTrip = seconds / Double(setUp)
  }

  /// Includes the seconds from opening another connection to its first byte.
  mutating func hears(after seconds: Double) { latency += (seconds - latency) / 4 }

  /// Returns whether the loop is busy: whether it waited for less than a tenth of the time, over at least
  /// ``busySeconds``.
  mutating func isBusy(now: Double, waited: Double) -> Bool {
    let elapsed = now - last.time
    guard elapsed >= LineSample.busySeconds else { return wasBusy }
    wasBusy = (waited - last.waited) / elapsed < 0.1
    last = (now, waited)
    return wasBusy
  }
}
