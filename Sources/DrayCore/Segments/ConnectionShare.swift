// How files that are fetched from one origin at once share its connections: a pure decision.

/// The share of one file in the connections to an origin.
public enum ConnectionShare {
  /// The number of connections a file may have.
  /// - Parameters:
  ///   - wanted: the most that it would have alone (`-x`).
  ///   - mine: how many it has.
  ///   - all: how many there are, those of other files included.
  ///   - limit: how many there may be, those of other files included.
  ///   - files: how many files are fetched in segments, this one included.
  public static func room(wanted: Int, mine: Int, all: Int, limit: Int, files: Int) -> Int {
    // Others keep what they have; but another file that also shares gives way until all have equally many.
    let unused = limit - (all - mine)
    let share = files > 1 ? limit / files : 1
    return max(1, min(wanted, max(share, unused)))
  }
}
