// Decides how many jobs a runner claims before it has slots for them.

/// The number of jobs to claim in advance: as many as usually end within `span` seconds.
///
/// A separate claim for each small file would cost more than the file. After a long job the number is zero, because
/// other runners cannot claim what this runner already owns.
public struct Lookahead: Sendable, Equatable {
  /// The maximum number of jobs claimed in advance.
  public static let limit = 256
  /// Seconds of work to claim in advance.
  static let span = 0.1
  /// The shortest time from which a rate is computed, in seconds.
  private static let shortest = 0.001

  private var last: Double?

  /// Creates the value for a runner that has not claimed yet.
  public init() {}

  /// Returns the number of jobs to claim in addition to the free slots.
  /// - Parameters:
  ///   - ended: The number of jobs that freed their slot since the last call.
  ///   - now: Seconds of a monotonic clock.
  public mutating func count(ended: Int, now: Double) -> Int {
    defer { last = now }
    guard let last, ended > 0 else { return 0 }
    let rate = Double(ended) / max(now - last, Lookahead.shortest)
    return min(Lookahead.limit, Int(saturating: rate * Lookahead.span))
  }

  /// Returns when the next claim may begin while other runners have jobs: after a pause as long as the last claim took.
  /// Claims of several runners exclude each other, and a few large ones cost less than many small ones.
  public static func next(after claim: Range<Double>) -> Double {
    claim.upperBound + min(claim.upperBound - claim.lowerBound, longestPause)
  }

  /// The longest such pause, in seconds.
  static let longestPause = 0.2
}
