// Which fences the held jobs have.
//
// Jobs that were held stay in the index of held jobs until the server cleans it, which a long transaction elsewhere
// delays for hours. Each claim takes a higher fence than all before it. So a walk over the held jobs begins at the lowest
// fence in use, and looks up the few jobs below it that are held for longer.

/// The rule for walks over the held jobs.
///
/// It stays right while other jobs are claimed, since their fences are higher, and while jobs end. It is right at first
/// only if no claim was under way while the held jobs were looked at.
struct FenceFloor: Sendable, Equatable {
  /// The most jobs that are looked up one by one.
  static let most = 64
  /// The cost of such a lookup, in entries that a walk passes.
  static let lookup: Int64 = 16

  /// Held jobs have this fence or a higher one, except those in ``old``.
  private(set) var bound: Int64 = 0
  /// The fences below the bound that held jobs may have.
  private(set) var old: [Int64] = []

  init() {}

  /// Creates the rule after a walk over all held jobs.
  /// - Parameters:
  ///   - held: their fences.
  ///   - top: the highest fence that was given so far.
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

  /// The held jobs, rows of `hot`, as an item after FROM.
  var ownedJobs: SQL {
    let recent: SQL = "SELECT * FROM hot WHERE runner IS NOT NULL AND fence >= \(bound)"
    guard !old.isEmpty else { return "(\(recent)) AS hot" }
    return "(\(recent) UNION ALL SELECT * FROM hot WHERE runner IS NOT NULL AND fence = ANY(\(old))) AS hot"
  }
}
