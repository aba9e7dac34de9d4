// How files that are fetched from one origin at once share its connections: a pure decision.

/// The share of one file in the connections to an origin.
public enum ConnectionShare {
  /// How many connections a file may have.
  /// - Parameters:
  ///   - wanted: the most that it would have by itself (`-x`).
  ///   - mine: how many it has.
  ///   - all: how many there are, those of other files included.
  ///   - files: how many files are fetched in segments, this one included.
  public static func room(wanted: Int, mine: Int, all: Int, files: Int) -> Int {
    // What others have is theirs; but another that shares, too, gives way until each has as much.
    let unused = wanted - (all - mine)
    let share = files > 1 ? wanted / files : 1
    return max(1, min(wanted, max(share, unused)))
  }
}
