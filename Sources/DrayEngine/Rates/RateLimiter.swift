internal import Synchronization

/// A fair limit on bytes per second, shared by any number of connections on any thread. The limit may change at any
/// time.
///
/// A job with eight connections gets no more than a job with one. Bytes that a job does not take go to other jobs
/// (``RateLedger``). There is no queue, so that a change applies to all connections at once.
public final class RateLimiter: Sendable {
  final class Share: Sendable {
    private let limiter: RateLimiter
    // Accessed only under the lock of the limiter.
    private nonisolated(unsafe) let part: RateLedger.Part

    fileprivate init(_ limiter: RateLimiter, _ part: RateLedger.Part) { (self.limiter, self.part) = (limiter, part) }

    deinit { limiter.ledger.withLock { $0.leave(part) } }

    /// Returns how many bytes may be taken now; if not all, also the seconds to wait before asking again.
    func take(_ count: Int, now: Double) -> (count: Int, wait: Double) {
      limiter.ledger.withLock { $0.take(count, for: part, now: now) }
    }

    /// Gives back bytes that were taken but could not be used.
    func giveBack(_ count: Int) { limiter.ledger.withLock { $0.giveBack(count, of: part) } }

    /// Whether the limit is unchanged since the last request.
    var isCurrent: Bool { limiter.ledger.withLock { $0.isCurrent(part) } }
  }

  private let ledger: Mutex<RateLedger>

  /// Creates a limiter; with `nil` for the rate, it limits nothing.
  /// - Parameter budget: The total number of bytes that may be taken; `nil` for any number.
  public init(bytesPerSecond: Int64?, budget: Int64? = nil) {
    ledger = Mutex(RateLedger(bytesPerSecond: bytesPerSecond.map(Double.init), budget: budget))
  }

  public var isSpent: Bool { ledger.withLock { $0.isSpent } }

  /// The limit; `nil` if there is none.
  public var bytesPerSecond: Int64? { ledger.withLock { $0.bytesPerSecond.map { Int64($0) } } }

  public var isLimited: Bool { ledger.withLock { $0.isLimited } }

  /// The bytes that connections have taken so far.
  public var taken: Int64 { ledger.withLock { $0.taken } }

  /// Changes the limit. Connections that waited under the old limit ask again; they get no advantage from having
  /// waited.
  public func setLimit(_ bytesPerSecond: Int64?) {
    ledger.withLock { $0.set(bytesPerSecond.map(Double.init)) }
  }

  /// - Parameter group: Connections with the same group share one grant; with `nil`, the connection gets a separate
  ///   group.
  func join(_ group: AnyObject? = nil) -> Share {
    let key = group.map { ObjectIdentifier($0) }
    return ledger.withLock { ledger in
      nonisolated(unsafe) let part = ledger.join(key)
      return Share(self, part)
    }
  }
}
