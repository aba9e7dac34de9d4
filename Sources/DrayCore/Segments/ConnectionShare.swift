// Decides how files that are fetched from one origin at the same time share the origin's connections.

/// One file's share of the connections to an origin.
public enum ConnectionShare {
  /// The maximum number of connections to an origin of all files in segments together, if no number is given.
  public static let usual = 32

  /// Returns the number of connections that a file may have.
  /// - Parameters:
  ///   - wanted: The maximum for this file alone (`-x`).
  ///   - mine: The number of this file's connections.
  ///   - all: The number of all files together.
  ///   - limit: The maximum of all files together.
  ///   - files: The number of files fetched in segments, including this one.
  public static func room(wanted: Int, mine: Int, all: Int, limit: Int, files: Int) -> Int {
    // The other files keep their connections. But files that also share give connections up until all have the same
    // number.
    let unused = limit - (all - mine)
    let share = files > 1 ? limit / files : 1
    return max(1, min(wanted, max(share, unused)))
  }
}
