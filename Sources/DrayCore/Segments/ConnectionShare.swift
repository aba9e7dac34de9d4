// Decides how the files that are fetched from one origin at the same time share the origin's connections.

/// The share of one file in the connections to an origin.
package enum ConnectionShare {
  /// The maximum number of connections to an origin, for all its files that are fetched in segments together, if the
  /// user gives no number.
  package static let usual = 32

  /// Returns the number of connections that a file may have.
  /// - Parameters:
  ///   - wanted: The maximum number for this file alone (`-x`).
  ///   - mine: The number of this file's connections.
  ///   - all: The number of connections of all files together.
  ///   - limit: The maximum number of connections of all files together.
  ///   - files: The number of files fetched in segments, including this one.
  package static func room(wanted: Int, mine: Int, all: Int, limit: Int, files: Int) -> Int {
    // A file may have an equal share, or more if other files use less than theirs. A file that has more than its share
    // gives some connections up.
    let unused = limit - (all - mine)
    let share = files > 1 ? limit / files : 1
    return max(1, min(wanted, max(share, unused)))
  }
}
