// How many jobs a runner claims from the queue before it has a slot for them. A pure decision.

/// Jobs that are claimed ahead of their turn, as many as end within a moment.
///
/// Claiming each small file separately would cost more than the file. A long job is followed by
/// none that was claimed ahead: a job that one runner holds cannot be claimed by another.
public struct Lookahead: Sendable, Equatable {
  /// The most that are claimed ahead.
  public static let limit = 256
  /// Seconds for which they should last.
  static let span = 0.1
  /// The shortest time from which a rate is computed, in seconds.
  private static let shortest = 0.001

  private var last: Double?

  /// Nothing was claimed yet.
  public init() {}

  /// How many to claim beyond the free slots.
  /// - Parameters:
  ///   - ended: jobs that freed their slot since the last call.
  ///   - now: seconds of a clock that only goes forward.
  public mutating func count(ended: Int, now: Double) -> Int {
    defer { last = now }
    guard let last, ended > 0 else { return 0 }
    let rate = Double(ended) / max(now - last, Lookahead.shortest)
    return min(Lookahead.limit, Int(saturating: rate * Lookahead.span))
  }
}
