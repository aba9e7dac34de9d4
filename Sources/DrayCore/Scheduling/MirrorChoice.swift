// Decides which of a file's URLs is tried next.

/// Remembers which of a job's URLs is to be tried: the job's own URL, which has the number 0, or one of its mirrors, in
/// their order.
///
/// After a failure that is the server's fault, the next URL is tried, at once. Only when all URLs have failed do the
/// delays of `RetryPolicy` begin.
public struct MirrorChoice: Sendable, Equatable {
  /// What to do after a failure.
  package enum Verdict: Sendable, Equatable {
    /// Request this URL at once.
    case ask(Int)
    /// Leave this failure to the retry policy.
    case decide(Failure)
  }

  /// The number of the URL to try.
  package private(set) var current = 0
  private let count: Int
  /// The URLs that failed permanently.
  private var refused: Set<Int> = []
  /// The URLs that failed temporarily in this round, with their failures.
  private var failed: [Int: Failure] = [:]

  /// Begins with the first of `count` URLs.
  package init(count: Int) { self.count = count }

  /// Decides what to do after a failure at the present URL.
  /// - Parameter hasNewGround: Whether the attempt received bytes that no earlier attempt had. If so, the same URL is
  ///   tried again.
  package mutating func after(_ failure: Failure, hasNewGround: Bool) -> Verdict {
    guard count > 1, MirrorChoice.isServers(failure), failure.obstacle != .missingInterface else {
      return .decide(failure)
    }
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
    // At this point, all URLs have failed. Those that failed temporarily are tried again after a delay.
    var reported = failure
    // A server that answers is preferred to a port at which nobody listens.
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

  /// Whether the failure is the server's fault, so that another server may succeed.
  static func isServers(_ failure: Failure) -> Bool {
    switch failure.kind {
    case .network, .tls, .authentication, .protocolViolation, .status, .integrity: failure.recovery != .wait
    case .other, .usage, .file, .store: false
    }
  }

  /// Returns the checkpoint with which the bytes from one URL may be continued at another URL (P2).
  ///
  /// If the length and a digest are known, the digest will prove the result. In that case the rest is requested with an
  /// overlap, whose bytes are compared, because two servers rarely have the same validators. Otherwise the versions
  /// count as equal only if both servers have the same strong `ETag`. A date says nothing about the version on another
  /// server.
  package static func checkpoint(_ recorded: Checkpoint, isOfOther: Bool, _ options: JobOptions) -> Checkpoint {
    guard isOfOther, !(options.mirrors ?? []).isEmpty else { return recorded }
    var checkpoint = recorded
    let isProved = options.digest != nil && (options.expectedSize ?? recorded.size) != nil
    checkpoint.validators = isProved ? Validators() : Validators(etag: recorded.validators.strongETag)
    return checkpoint
  }
}
