// Ranks: numbers that order the jobs of one priority, with room between any two for more.

/// A job's place among the jobs of its priority: lower runs first. A job that was never moved has its number as rank.
public enum QueueRank {
  /// Ranks for `count` jobs in a row between two neighbours, `nil` for an end of the queue.
  /// - Parameter next: the rank that the next job to be added will have: no existing job may come after it.
  /// - Returns: ascending ranks, or `nil` if the neighbours are too close: then all have to be ranked again.
  public static func between(_ lower: Double?, _ upper: Double?, count: Int, next: Double) -> [Double]? {
    guard count > 0 else { return [] }
    let upper = upper ?? next
    // Before the first there is unlimited room.
    let lower = lower ?? (min(upper, next) - Double(count + 1)).rounded(.down)
    let step = (upper - lower) / Double(count + 1)
    guard step > 0, step.isFinite else { return nil }
    let ranks = (1...count).map { lower + Double($0) * step }
    let all = [lower] + ranks + [upper]
    return zip(all, all.dropFirst()).allSatisfy { $0 < $1 } ? ranks : nil
  }

  /// Ranks for `count` jobs that are all ranked again: whole numbers, the last just below `next`.
  public static func rerank(count: Int, next: Double) -> [Double] {
    (0..<max(0, count)).map { next - Double(count - $0) }
  }
}
