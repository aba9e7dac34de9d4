// Decides when a runner renews its lease, and when it must stop its transfers because the lease could end (P20).

/// The rule for a lease that the runner must renew in time.
package struct LeaseRule: Sendable, Equatable {
  /// What a runner may do at this point of its lease.
  package enum Standing: Sendable, Equatable {
    /// It may transfer and publish.
    case holds
    /// It must renew the lease now; transfers go on.
    case isDue
    /// It must stop all transfers, because bytes that are on their way might be written after the lease has ended.
    case mustStop
  }

  /// The length of a lease in seconds: the longest remaining time that was seen so far.
  package private(set) var length: Double = 0
  /// Transfers must stop this many seconds before the end of a lease. Until a transfer has stopped, a write may wait
  /// for a slow disk.
  package static let margin = 5.0

  /// Creates the rule of a new lease.
  package init() {}

  /// How many seconds before the end the transfers stop: the margin, but at most a quarter of the lease.
  package var reserve: Double { min(LeaseRule.margin, length / 4) }

  /// Decides by how many seconds of a lease remain.
  /// - Parameter remaining: The number of seconds; `nil` for a lease that lasts as long as the process.
  package mutating func decide(remaining: Double?) -> Standing {
    guard let remaining else { return .holds }
    length = max(length, remaining)
    if remaining <= reserve { return .mustStop }
    // If a renewal at two thirds fails, there is time for two more tries before the transfers must stop.
    return remaining <= length * 2 / 3 ? .isDue : .holds
  }

  /// Returns for how many seconds to wait for the answer to a renewal. This is half of the time until the transfers
  /// must stop, so that there is time for a second try on a new connection. Once the transfers have stopped, a longer
  /// wait costs nothing.
  package static func patience(remaining: Double, length: Double) -> Double {
    let rest = remaining - min(margin, length / 4)
    return rest > 0 ? max(rest / 2, 1) : max(length, leastPatience)
  }

  /// Returns for how many seconds another call of the runner may wait for its answer: not beyond the end of the lease,
  /// because a renewal may have to wait for this call.
  package static func patience(ofCallWith remaining: Double) -> Double { max(remaining, leastPatience) }

  /// The number of seconds that a busy store may need for a call.
  private static let leastPatience = 10.0

  /// Returns the seconds until the next try to reach the store, after this many tries that failed.
  package static func pause(afterFailures failures: Int) -> Double { min(0.25 * Double(1 << min(failures, 6)), 5) }
}
