// A limit on bytes a second, fair between those who share it.

internal import Synchronization

/// A rate limit that any number of connections share, on any thread; it may change while they run.
///
/// A job gets no more of it for having eight connections, and what one does not take is for the others (``RateLedger``).
/// There is no waiting queue, so that a change counts at once for all.
public final class RateLimiter: Sendable {
  /// A connection's part in a limit.
  final class Share: Sendable {
    private let limiter: RateLimiter
    // Touched under the limiter's lock only.
    private nonisolated(unsafe) let part: RateLedger.Part

    fileprivate init(_ limiter: RateLimiter, _ part: RateLedger.Part) { (self.limiter, self.part) = (limiter, part) }

    deinit { limiter.ledger.withLock { $0.leave(part) } }

    /// Consumes up to `count` bytes.
    /// - Returns: how many may be taken now, and, if not all, how many seconds to wait before asking for more.
    func take(_ count: Int, now: Double) -> (count: Int, wait: Double) {
      limiter.ledger.withLock { $0.take(count, for: part, now: now) }
    }

    /// Gives back bytes that were taken, and could not be used.
    func giveBack(_ count: Int) { limiter.ledger.withLock { $0.giveBack(count, of: part) } }

    /// Whether the limit is the one that it asked under last.
    var isCurrent: Bool { limiter.ledger.withLock { $0.isCurrent(part) } }
  }

  private let ledger: Mutex<RateLedger>

  /// Makes a limit; `nil` is none.
  public init(bytesPerSecond: Int64?) {
    ledger = Mutex(RateLedger(bytesPerSecond: bytesPerSecond.map(Double.init)))
  }

  /// The limit in force; `nil` if there is none.
  public var bytesPerSecond: Int64? { ledger.withLock { $0.bytesPerSecond.map { Int64($0) } } }

  /// Changes the limit. Waits that were due under the old limit neither remain nor give an advantage.
  public func setLimit(_ bytesPerSecond: Int64?) {
    ledger.withLock { $0.set(bytesPerSecond.map(Double.init)) }
  }

  /// Joins.
  /// - Parameter group: those with the same one share what one of the others gets; `nil` is a group of its own.
  func join(_ group: AnyObject? = nil) -> Share {
    let key = group.map { ObjectIdentifier($0) }
    return ledger.withLock { ledger in
      nonisolated(unsafe) let part = ledger.join(key)
      return Share(self, part)
    }
  }
}
