// Decides when a runner renews its lease, and when it must stop its transfers because the lease may end (P20).

/// The rule for leases that must be renewed in time.
public struct LeaseRule: Sendable, Equatable {
  /// What a lease allows its runner.
  public enum Standing: Sendable, Equatable {
    /// Transfer and publish.
    case holds
    /// Renew the lease now; transfers go on.
    case isDue
    /// Stop all transfers: bytes in progress might be written after the lease has ended.
    case mustStop
  }

  /// The length of a lease in seconds, learned as the longest remaining time that was seen.
  public private(set) var length: Double = 0
  /// Transfers must stop this many seconds before the end of a lease. Stopping includes a write that may wait for a
  /// slow disk.
  public static let margin = 5.0

  /// Creates the rule of a new lease.
  public init() {}

  /// The seconds before the end at which the transfers stop: the margin, but at most a quarter of the lease.
  public var reserve: Double { min(LeaseRule.margin, length / 4) }

  /// Decides from the remaining seconds of a lease.
  /// - Parameter remaining: `nil` for a lease that lasts as long as the process.
  public mutating func decide(remaining: Double?) -> Standing {
    guard let remaining else { return .holds }
    length = max(length, remaining)
    if remaining <= reserve { return .mustStop }
    // At two thirds, there is time for two more tries before the transfers must stop.
    return remaining <= length * 2 / 3 ? .isDue : .holds
  }

  /// Returns the seconds to wait for the answer to a renewal: half of the time until the transfers must stop, so that a
  /// second try on a new connection is still in time. After that moment, a longer wait costs nothing.
  public static func patience(remaining: Double, length: Double) -> Double {
    let rest = remaining - min(margin, length / 4)
    return rest > 0 ? max(rest / 2, 1) : max(length, leastPatience)
  }

  /// Returns the seconds that the runner's other calls may wait for an answer: not beyond the end of the lease, because
  /// a renewal may be queued behind them.
  public static func patience(ofCallWith remaining: Double) -> Double { max(remaining, leastPatience) }

  /// The seconds that a busy store may need for a call.
  private static let leastPatience = 10.0

  /// Returns the seconds before the next try to reach the store, after this many failures.
  public static func pause(afterFailures failures: Int) -> Double { min(0.25 * Double(1 << min(failures, 6)), 5) }
}
