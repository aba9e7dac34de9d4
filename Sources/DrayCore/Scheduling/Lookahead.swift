// Decides how many jobs a runner claims before it has free slots for them.

/// The number of jobs to claim in advance, which is the number that usually ends within ``span``.
///
/// If each small file needed a claim of its own, the claims would take longer than the files. After a long job the
/// number is zero, because other runners cannot claim what this runner already owns.
package struct Lookahead: Sendable, Equatable {
  /// The maximum number of jobs claimed in advance.
  package static let limit = 256
  /// The number of seconds for which jobs are claimed in advance.
  static let span = 0.1
  /// The shortest time, in seconds, from which a rate is computed.
  private static let shortest = 0.001

  private var last: Double?

  /// Creates the value for a runner that has not claimed yet.
  package init() {}

  /// Returns the number of jobs to claim in addition to the free slots.
  /// - Parameters:
  ///   - ended: The number of jobs that freed their slot since the last call.
  ///   - now: The time of a monotonic clock in seconds.
  package mutating func count(ended: Int, now: Double) -> Int {
    defer { last = now }
    guard let last, ended > 0 else { return 0 }
    let rate = Double(ended) / max(now - last, Lookahead.shortest)
    return min(Lookahead.limit, Int(saturating: rate * Lookahead.span))
  }

  /// Returns when the next claim may begin if other runners have jobs: after a pause that is as long as the last claim
  /// took. Claims of different runners exclude each other, and few large claims take less time than many small ones.
  package static func next(after claim: Range<Double>) -> Double {
    claim.upperBound + min(claim.upperBound - claim.lowerBound, longestPause)
  }

  /// The longest pause between two claims, in seconds.
  static let longestPause = 0.2
}
