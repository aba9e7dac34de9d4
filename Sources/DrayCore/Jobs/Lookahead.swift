// How many jobs a runner takes from the queue before it has a slot for them. A pure decision.

/// Jobs that are claimed ahead of their turn, as many as end within a moment.
///
/// Asking the store for each small file by itself would cost more than the file. A job that takes long is followed by
/// none that was claimed ahead: what one runner holds, no other can take.
public struct Lookahead: Sendable, Equatable {
  /// The most that are claimed ahead.
  public static let limit = 256
  /// Seconds for which they should last.
  static let span = 0.1
  /// The shortest time that a rate is taken from, in seconds.
  private static let shortest = 0.001

  private var last: Double?

  /// Nothing was claimed yet.
  public init() {}

  /// How many to claim beyond the free slots.
  /// - Parameters:
  ///   - ended: jobs that gave their slot back since this was asked last.
  ///   - now: seconds of a clock that only goes forward.
  public mutating func count(ended: Int, now: Double) -> Int {
    defer { last = now }
    guard let last, ended > 0 else { return 0 }
    let rate = Double(ended) / max(now - last, Lookahead.shortest)
    return min(Lookahead.limit, Int(rate * Lookahead.span))
  }
}
