// Decides which of a file's URLs is tried next.

/// Whose turn it is among a job's URLs: the job's own URL, number 0, and its mirrors in order.
///
/// Only a server's failure moves the turn to the next URL, which is tried at once. The delays of ``RetryPolicy`` start
/// only when all URLs have failed.
public struct MirrorChoice: Sendable, Equatable {
  /// What to do after a failure.
  public enum Verdict: Sendable, Equatable {
    /// Try this URL at once.
    case ask(Int)
    /// Let the retry policy decide about this failure.
    case decide(Failure)
  }

  /// The number of the URL whose turn it is.
  public private(set) var current = 0
  private let count: Int
  /// URLs that failed permanently.
  private var refused: Set<Int> = []
  /// URLs that failed temporarily in this round.
  private var failed: [Int: Failure] = [:]

  /// Starts with the first of `count` URLs.
  public init(count: Int) { self.count = count }

  /// Decides after a failure at the present URL.
  /// - Parameter hasNewGround: Whether new bytes were received. If so, the same URL is tried again.
  public mutating func after(_ failure: Failure, hasNewGround: Bool) -> Verdict {
    guard count > 1, MirrorChoice.isServers(failure) else { return .decide(failure) }
    if failure.recovery == .retry, failure.obstacle != .unknownName {
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
    // All URLs have failed. Retry those that failed temporarily, after a delay.
    var reported = failure
    // Prefer a server that answers to a port where nobody listens.
    let reachable = failed.filter { $0.value.obstacle == nil }.keys.min()
    if let first = reachable ?? failed.keys.min(), let passing = failed[first] {
      current = first
      reported = passing
    }
    failed = [:]
    reported.reason +=
      count == 2 ? " (and its mirror failed too)" : " (and its \(count - 1) other URLs failed too)"
    return .decide(reported)
  }

  /// Whether the failure is the server's, so that another server may succeed.
  static func isServers(_ failure: Failure) -> Bool {
    switch failure.kind {
    case .network, .tls, .authentication, .protocolViolation, .status, .integrity: failure.recovery != .wait
    case .other, .usage, .file, .store: false
    }
  }

  /// Returns the checkpoint from which one URL's bytes may be continued at another URL (P2).
  ///
  /// If the length and a digest are known, the digest will prove the result; the rest is then requested with an overlap
  /// for comparison, because two servers rarely have the same validators. Otherwise, only the same strong `ETag` on
  /// both servers proves that their versions are equal. A date proves nothing about another server.
  public static func checkpoint(_ recorded: Checkpoint, isOfOther: Bool, _ options: JobOptions) -> Checkpoint {
    guard isOfOther, !(options.mirrors ?? []).isEmpty else { return recorded }
    var checkpoint = recorded
    let isProved = options.digest != nil && (options.expectedSize ?? recorded.size) != nil
    checkpoint.validators = isProved ? Validators() : Validators(etag: recorded.validators.strongETag)
    return checkpoint
  }
}
