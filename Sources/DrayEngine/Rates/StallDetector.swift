// Detects stalls: a rate below the minimum over the stall timeout.

internal import DrayCore

/// Counts bytes over a sliding window. Time and bytes are arguments.
struct StallDetector {
  private static let buckets = 10
  /// The minimum gap in seconds between two checks after which the window starts again. Normally there are ten checks
  /// per second.
  private static let longGap = 1.0

  let window: Double
  /// At most one per bucket of the window, oldest first.
  private var marks: [(time: Double, bytes: Int64)] = []
  private var lookedAt: Double?

  init(window: Double) { self.window = window }

  /// `subject` is a URL without secrets.
  /// - Parameter isContinued: Whether a later request continues.
  func failure(_ subject: String, isContinued: Bool = true) -> Failure {
    let reason =
      "the rate was below \(TransferRequest.stallRate >> 10) KiB/s for \(Int(saturating: window.rounded(.up))) s"
    guard isContinued else { return Failure(.network, subject, reason, advice: "\(.stallTimeout) sets the limit") }
    return Failure(
      .network, subject, reason, advice: "\(.run) continues from there",
      recovery: .retry)
  }

  /// Forgets earlier samples, because the transfer was held back or a new request began.
  mutating func reset() { marks.removeAll(keepingCapacity: true) }

  /// Adds the current count of bytes. Returns whether the last window had too few.
  mutating func isStalled(bytes: Int64, now: Double) -> Bool {
    // The process was held up during such a gap. The system may hold received bytes, so the sender may not be the
    // reason.
    if let lookedAt, now - lookedAt >= max(StallDetector.longGap, window / 2) { reset() }
    lookedAt = now
    let step = window / Double(StallDetector.buckets)
    if marks.last.map({ now - $0.time >= step }) ?? true { marks.append((now, bytes)) }
    // The latest mark that is at least a window old is the start of the window.
    while marks.count > 1, marks[1].time <= now - window { marks.removeFirst() }
    let oldest = marks[0]
    guard now - oldest.time >= window else { return false }
    return Double(bytes - oldest.bytes) < Double(TransferRequest.stallRate) * (now - oldest.time)
  }
}
