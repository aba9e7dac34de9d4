// Limits walks over the owned jobs to the fences that these jobs can have.
//
// Entries of released jobs stay in the index of owned jobs until the server cleans the index, which a long transaction
// elsewhere delays for hours. Each claim takes a higher fence than all claims before. A walk over the owned jobs
// therefore begins at the lowest fence in use. The few jobs with a lower fence, which have been owned for longer, are
// looked up one by one.

/// The rule for walks over the owned jobs.
///
/// The rule stays valid while other jobs are claimed, because their fences are higher, and while jobs end. It is valid
/// at first only if no claim was in progress while the owned jobs were read.
struct FenceFloor: Sendable, Equatable {
  /// The maximum number of jobs that are looked up one by one.
  static let most = 64
  /// The cost of one lookup, in entries that a walk passes.
  static let lookup: Int64 = 16

  /// The fences of owned jobs are at least this, except those in ``old``.
  private(set) var bound: Int64 = 0
  /// The lower fences that owned jobs may have.
  private(set) var old: [Int64] = []

  init() {}

  /// Creates the rule after a walk over all owned jobs.
  /// - Parameters:
  ///   - held: The fences of these jobs.
  ///   - top: The highest fence given so far.
  init(held: [Int64], top: Int64) {
    let fences = held.sorted()
    var best = Int64.max
    var count = 0
    for place in 0...min(fences.count, FenceFloor.most) {
      let start = place < fences.count ? fences[place] : top
      let cost = top - start + FenceFloor.lookup * Int64(place)
      if cost < best { (best, bound, count) = (cost, start, place) }
    }
    old = Array(fences[..<count])
  }

  /// The owned jobs (rows of `hot`), as an item after FROM.
  var ownedJobs: SQL {
    let recent: SQL = "SELECT * FROM hot WHERE runner IS NOT NULL AND fence >= \(bound)"
    guard !old.isEmpty else { return "(\(recent)) AS hot" }
    return "(\(recent) UNION ALL SELECT * FROM hot WHERE runner IS NOT NULL AND fence = ANY(\(old))) AS hot"
  }
}
