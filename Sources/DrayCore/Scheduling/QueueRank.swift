// Ranks order the jobs of one priority, and leave space for more between any two.

/// A job's place among the jobs of its priority; lower ranks run first. The rank of a job that was never moved is its
/// number.
public enum QueueRank {
  /// Returns ranks for `count` consecutive jobs between two neighbours; `nil` stands for an end of the queue.
  /// - Parameter next: The rank that the next added job will have; no existing job may have a higher one.
  /// - Returns: Ascending ranks; `nil` if the neighbours' ranks are too close. In that case, give all jobs new ranks.
  public static func between(_ lower: Double?, _ upper: Double?, count: Int, next: Double) -> [Double]? {
    guard count > 0 else { return [] }
    let upper = upper ?? next
    // There is unlimited room before the first job.
    let lower = lower ?? (min(upper, next) - Double(count + 1)).rounded(.down)
    let step = (upper - lower) / Double(count + 1)
    guard step > 0, step.isFinite else { return nil }
    let ranks = (1...count).map { lower + Double($0) * step }
    let all = [lower] + ranks + [upper]
    return zip(all, all.dropFirst()).allSatisfy { $0 < $1 } ? ranks : nil
  }

  /// Returns new ranks for all `count` jobs: whole numbers, the last just below `next`.
  public static func rerank(count: Int, next: Double) -> [Double] {
    (0..<max(0, count)).map { next - Double(count - $0) }
  }
}
