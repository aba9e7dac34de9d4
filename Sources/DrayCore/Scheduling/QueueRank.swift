// Orders the jobs of one priority by ranks, with space for more jobs between any two.

/// The place of a job among those of its priority; jobs with lower ranks run first. The rank of a job that was never
/// moved is its number.
package enum QueueRank {
  /// Returns ranks for `count` jobs between two neighbours. A `nil` neighbour is an end of the queue.
  /// - Parameter next: The rank that the next added job will get, which is higher than that of any existing job.
  /// - Returns: Ascending ranks; `nil` if the ranks of the neighbours are too close together. In that case, all jobs
  ///   must get new ranks.
  package static func between(_ lower: Double?, _ upper: Double?, count: Int, next: Double) -> [Double]? {
    guard count > 0 else { return [] }
    let upper = upper ?? next
    // Before the first job, there is always room.
    let lower = lower ?? (min(upper, next) - Double(count + 1)).rounded(.down)
    let step = (upper - lower) / Double(count + 1)
    guard step > 0, step.isFinite else { return nil }
    let ranks = (1...count).map { lower + Double($0) * step }
    let all = [lower] + ranks + [upper]
    return zip(all, all.dropFirst()).allSatisfy { $0 < $1 } ? ranks : nil
  }

  /// Returns new ranks for all `count` jobs. They are whole numbers, and the last is just below `next`.
  package static func rerank(count: Int, next: Double) -> [Double] {
    (0..<max(0, count)).map { next - Double(count - $0) }
  }
}
