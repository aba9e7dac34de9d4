// Decides at which fence a search through the owned jobs begins.
//
// When jobs are released, their entries stay in the index of owned jobs until the server cleans it, which a long
// transaction elsewhere can delay for hours. Each claim gets a higher fence than all earlier ones. A walk therefore
// skips old entries by beginning at the lowest fence that is still in use. A few jobs that have been owned for much
// longer have lower fences; these jobs are looked up one by one.

#if Postgres

/// The lowest fences that owned jobs can have.
///
/// The bounds stay correct when jobs are claimed, because new claims get higher fences, and when jobs end. The first
/// bounds must come from a walk over all owned jobs during which no claim was in progress.
struct FenceFloor: Sendable, Equatable {
  /// The maximum number of jobs to look up one by one.
  static let most = 64
  /// The cost of one lookup, as a number of entries that a walk passes.
  static let lookup: Int64 = 16

  /// The lowest fence of owned jobs, apart from those in ``old``.
  private(set) var bound: Int64 = 0
  /// The lower fences that owned jobs may have.
  private(set) var old: [Int64] = []

  init() {}

  /// Creates the value after a walk over all owned jobs.
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

#endif
