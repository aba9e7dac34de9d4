// Finds out when a transfer has stalled: less than 1 KiB/s over the stall timeout.

internal import DrayCore

/// Watches how many bytes came over a sliding window. Pure: time and bytes are handed in.
struct StallDetector {
  /// Bytes a second below which a transfer stalls.
  static let leastRate = 1024.0
  private static let buckets = 10
  /// Seconds between two checks, which come ten times a second, below which a short window is not started again.
  private static let longGap = 1.0

  let window: Double
  /// When and how much, at most one entry a bucket of the window, oldest first.
  private var marks: [(time: Double, bytes: Int64)] = []
  private var lookedAt: Double?

  init(window: Double) { self.window = window }

  /// The failure of a transfer from `subject`, a URL without secrets.
  /// - Parameter isContinued: whether a later request continues.
  func failure(_ subject: String, isContinued: Bool = true) -> Failure {
    let reason = "the rate was below 1 KiB/s for \(Int(saturating: window.rounded(.up))) s"
    guard isContinued else { return Failure(.network, subject, reason, advice: "\(.stallTimeout) sets the limit") }
    return Failure(
      .network, subject, reason, advice: "\(.run) continues from there; \(.stallTimeout) sets the limit",
      recovery: .retry)
  }

  /// Forgets what came before: the transfer was held back by us, or a new request began.
  mutating func reset() { marks.removeAll(keepingCapacity: true) }

  /// Adds the count of bytes so far; `true` if the last window had too few.
  mutating func isStalled(bytes: Int64, now: Double) -> Bool {
    // After such a delay the process was held up, and the bytes may be waiting: nothing is known of the sender.
    if let lookedAt, now - lookedAt >= max(StallDetector.longGap, window / 2) { reset() }
    lookedAt = now
    let step = window / Double(StallDetector.buckets)
    if marks.last.map({ now - $0.time >= step }) ?? true { marks.append((now, bytes)) }
    // The youngest mark that is at least a window old stands for the window's beginning.
    while marks.count > 1, marks[1].time <= now - window { marks.removeFirst() }
    let oldest = marks[0]
    guard now - oldest.time >= window else { return false }
    return Double(bytes - oldest.bytes) < StallDetector.leastRate * (now - oldest.time)
  }
}
