// Decides which of the bytes found in a seed are kept, and which are fetched again to save requests.

/// The rules for bytes that a job finds in other files of this machine (seeds).
package enum SeedRule {
  /// Found bytes between two missing ranges are fetched again if there are at most this many, because another request
  /// would cost more. This default applies while the rate of the line is unknown.
  package static let usualGap: Int64 = 64 << 10
  /// The upper bound of that length, so that a file with changes everywhere is not fetched whole.
  static let mostGap: Int64 = 256 << 10
  /// The maximum number of runs of bytes that are kept, because each needs requests and a place in every checkpoint.
  package static let mostRuns = 1024

  /// Returns the longest run of found bytes between two missing ranges that is fetched again: as many bytes as arrive
  /// in the round trip of another request.
  /// - Parameters:
  ///   - roundTrip: The seconds from a request to its answer; `nil` if unknown.
  ///   - rate: The bytes per second of a connection; `nil` if unknown.
  package static func gap(roundTrip: Double?, rate: Double?) -> Int64 {
    guard let roundTrip, let rate, roundTrip >= 0, rate > 0, (roundTrip * rate).isFinite else { return usualGap }
    return Int64(min(roundTrip * rate, Double(mostGap)))
  }

  /// Returns the bytes to keep.
  /// - Parameters:
  ///   - found: The bytes found in seeds, ascending. No two touch.
  ///   - gap: The longest run between missing bytes that is given up.
  ///   - size: The length of the file.
  package static func kept(_ found: [Segment], gap: Int64 = usualGap, of size: Int64, most: Int = mostRuns)
    -> SegmentSet
  {
    var (runs, gap) = (joined(found, gap, size), gap)
    while runs.count > most, gap < size {
      gap = max(1, gap).saturatingProduct(2)
      runs = joined(runs, gap, size)
    }
    var set = SegmentSet()
    for run in runs { set.insert(run) }
    return set
  }

  private static func joined(_ runs: [Segment], _ gap: Int64, _ size: Int64) -> [Segment] {
    // At the start and the end of the file, giving up bytes saves no request.
    runs.filter { $0.lowerBound == 0 || $0.upperBound == size || Int64($0.count) > gap }
  }
}
