// Decides when a runner stops its transfers because its lease may end, and when the runner renews the lease (P20).

/// The rule for leases that must be renewed in time.
public struct LeaseRule: Sendable, Equatable {
  /// The state of a lease, which decides on the rights of its runner.
  public enum Standing: Sendable, Equatable {
    /// Transfer and publish.
    case holds
    /// Renew the lease now; transfers go on.
    case isDue
    /// Stop all transfers: the lease may end before a byte that is under way is written.
    case mustStop
  }

  /// The length of a lease in seconds, as far as known: the longest remaining time so far.
  public private(set) var length: Double = 0
  /// Transfers must stop this many seconds before the end of a lease. Stopping may take as long as a write to a slow
  /// disk.
  public static let margin = 5.0

  /// Creates the rule of a new lease.
  public init() {}

  /// The seconds before the end at which transfers of this lease stop: the margin, or a quarter of a short lease.
  public var reserve: Double { min(LeaseRule.margin, length / 4) }

  /// Decides from the remaining seconds of a lease.
  /// - Parameter remaining: `nil` for a lease that lasts as long as the process.
  public mutating func decide(remaining: Double?) -> Standing {
    guard let remaining else { return .holds }
    length = max(length, remaining)
    if remaining <= reserve { return .mustStop }
    // Two more tries fit in before the transfers must stop.
    return remaining <= length * 2 / 3 ? .isDue : .holds
  }

  /// The seconds to wait for the answer to a renewal: half of the time until transfers must stop, so that a connection
  /// that hangs is replaced and the renewal tried again in time. Later, the runner loses nothing by waiting.
  public static func patience(remaining: Double, length: Double) -> Double {
    let rest = remaining - min(margin, length / 4)
    return rest > 0 ? max(rest / 2, 1) : max(length, leastPatience)
  }

  /// The seconds that other calls of a runner may wait for an answer: no longer than the lease lasts, because a renewal
  /// may have to wait for these calls.
  public static func patience(ofCallWith remaining: Double) -> Double { max(remaining, leastPatience) }

  /// Seconds that a busy store may need for a call.
  private static let leastPatience = 10.0

  /// The seconds to wait before the next try to reach the store, after a number of failed tries.
  public static func pause(afterFailures failures: Int) -> Double { min(0.25 * Double(1 << min(failures, 6)), 5) }
}
