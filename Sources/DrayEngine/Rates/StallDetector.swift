internal import DrayCore

extension Advice {
  /// The setting by which a request was given up.
  static let stallLimit: Advice = "\(.stallTimeout) sets the limit"
}

extension Failure {
  /// The failure of a request that got no answer in time; `subject` is a URL without secrets.
  static func unanswered(
    _ subject: String, within seconds: Double, advice: Advice? = nil, recovery: Recovery = .final
  ) -> Failure {
    Failure(
      .network, subject, "no answer within \(Int(saturating: seconds.rounded(.up))) s", advice: advice,
      recovery: recovery)
  }
}

/// Detects stalls. A transfer stalls if its rate, measured in a sliding window, stays below the minimum for the stall
/// timeout. The detector has no clock: callers pass the time and the bytes.
struct StallDetector {
  private static let buckets = 10
  /// If two checks are at least this many seconds apart, the window starts again; normally, there are ten checks a
  /// second.
  private static let longGap = 1.0

  let window: Double
  /// The counts of bytes, at most one for each bucket of the window, oldest first.
  private var marks: [(time: Double, bytes: Int64)] = []
  private var lookedAt: Double?

  init(window: Double) { self.window = window }

  /// Returns the failure of a stalled transfer; `subject` is a URL without secrets.
  /// - Parameter isContinued: Whether a later request will continue the transfer.
  func failure(_ subject: String, isContinued: Bool = true) -> Failure {
    let reason =
      "the rate was below \(TransferRequest.stallRate >> 10) KiB/s for \(Int(saturating: window.rounded(.up))) s"
    guard isContinued else { return Failure(.network, subject, reason, advice: .stallLimit) }
    return Failure(
      .network, subject, reason, advice: "\(.run) continues from there",
      recovery: .retry)
  }

  /// Forgets all samples, because the transfer was held back, or a new request began.
  mutating func reset() { marks.removeAll(keepingCapacity: true) }

  /// Adds the current count of bytes, and returns whether too few arrived in the last window.
  mutating func isStalled(bytes: Int64, now: Double) -> Bool {
    // A gap this long means that the process was held up. Received bytes may be waiting in the system, so the sender
    // need not be the cause of the gap.
    if let lookedAt, now - lookedAt >= max(StallDetector.longGap, window / 2) { reset() }
    lookedAt = now
    let step = window / Double(StallDetector.buckets)
    if marks.last.map({ now - $0.time >= step }) ?? true { marks.append((now, bytes)) }
    // The window starts at the latest mark that is at least as old as the window's length.
    while marks.count > 1, marks[1].time <= now - window { marks.removeFirst() }
    let oldest = marks[0]
    guard now - oldest.time >= window else { return false }
    return Double(bytes - oldest.bytes) < Double(TransferRequest.stallRate) * (now - oldest.time)
  }
}
