// Divides the open files and connections that a process may have, before any of them are needed (D2, P13).

/// How many descriptors each part of a run may have open.
package struct DescriptorBudget: Sendable, Equatable {
  /// The number of jobs transferred at once. Each has a part file, a directory and a connection.
  package let jobs: Int
  /// The number of complete files that may wait for their publish. Each keeps its part file and its directory open.
  package let publishing: Int
  /// The number of connections, including idle ones kept for reuse.
  package let connections: Int
  /// The number of directories kept open for later jobs.
  package let directories: Int

  /// The descriptors of the program itself: the standard three, the job store and its log, leases and boards, the loop,
  /// and those that are open for a short time for name lookup, certificates and hooks.
  package static let own = 32
  /// The lowest limit with which a run is possible.
  package static let least = 32

  /// Divides a limit.
  /// - Parameter limit: The maximum number of descriptors of the process; `nil` for no limit.
  package init(limit: Int?) {
    guard let limit else {
      (jobs, publishing, connections, directories) = (.max, 512, .max, 64)
      return
    }
    // Six for each job: its part file and directory, the part file and directory of a file that waits to be published,
    // and two connections; the second one is idle or fetches another piece.
    let share = max(1, (limit - DescriptorBudget.own) / 6)
    (jobs, publishing) = (share, min(512, share))
    (connections, directories) = (2 * share, max(1, min(64, share / 2)))
  }
}
