// Which of several URLs of one file is tried next: a pure decision.

/// The turn among the URLs of a job: its own, number 0, and its mirrors in their order.
///
/// Only failures that lie with a server make it the next one's turn, and the next one is tried at once: waiting, as
/// in ``RetryPolicy``, begins when all have failed.
public struct MirrorChoice: Sendable, Equatable {
  /// What follows a failure.
  public enum Verdict: Sendable, Equatable {
    /// Try this URL at once.
    case ask(Int)
    /// Let the retry policy decide about this failure.
    case decide(Failure)
  }

  /// The number of the URL whose turn it is.
  public private(set) var current = 0
  private let count: Int
  /// Those that failed permanently.
  private var refused: Set<Int> = []
  /// Those that failed temporarily in this round.
  private var failed: [Int: Failure] = [:]

  /// Begins with the first of `count` URLs.
  public init(count: Int) { self.count = count }

  /// Decides what follows a failure of the current URL.
  /// - Parameter hasNewGround: whether new bytes were received: then it is tried again.
  public mutating func after(_ failure: Failure, hasNewGround: Bool) -> Verdict {
    guard count > 1, MirrorChoice.isServers(failure) else { return .decide(failure) }
    if failure.recovery == .retry {
      if hasNewGround {
        failed = [:]
        return .decide(failure)
      }
      failed[current] = failure
    } else {
      refused.insert(current)
    }
    let others = (1..<count).map { (current + $0) % count }
    if let next = others.first(where: { failed[$0] == nil && !refused.contains($0) }) {
      current = next
      return .ask(next)
    }
    // All have failed. Those with temporary failures are tried again after a delay.
    var reported = failure
    if let first = failed.keys.min(), let passing = failed[first] {
      current = first
      reported = passing
    }
    failed = [:]
    reported.reason +=
      count == 2 ? " (and its mirror failed too)" : " (and its \(count - 1) other URLs failed too)"
    return .decide(reported)
  }

  /// Whether another server may succeed.
  static func isServers(_ failure: Failure) -> Bool {
    switch failure.kind {
    case .network, .tls, .authentication, .protocolViolation, .status, .integrity: failure.recovery != .wait
    case .other, .usage, .file, .store: false
    }
  }

  /// Which bytes of one URL may be continued from another (P2).
  ///
  /// Where the digest and the length are known, the digest will prove the result: the rest is asked for with an overlap
  /// that is compared, as validators of two servers need not be alike. Otherwise only a strong `ETag` that is the same
  /// on both proves that the versions are; a date proves nothing about another server.
  public static func checkpoint(_ recorded: Checkpoint, isOfOther: Bool, _ options: JobOptions) -> Checkpoint {
    guard isOfOther, !(options.mirrors ?? []).isEmpty else { return recorded }
    var checkpoint = recorded
    let isProved = options.digest != nil && (options.expectedSize ?? recorded.size) != nil
    checkpoint.validators = isProved ? Validators() : Validators(etag: recorded.validators.strongETag)
    return checkpoint
  }
}
