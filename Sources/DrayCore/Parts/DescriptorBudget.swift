// How many files and connections a process may have open, shared out before they are needed: a pure decision (D2, P13).

/// What a limit on open descriptors leaves for transfers.
public struct DescriptorBudget: Sendable, Equatable {
  /// Jobs that are transferred at once: each has a part file, a directory and a connection.
  public let jobs: Int
  /// Complete files that wait to be published: each has its part file and its directory.
  public let publishing: Int
  /// Connections in all, those that are kept for later among them.
  public let connections: Int
  /// Directories that are kept open for the next job.
  public let directories: Int

  /// What the program itself keeps open: the standard three, the job store and its log, leases and boards, the loop, what
  /// name lookup, certificates and hooks need for a moment.
  public static let own = 32
  /// The lowest usable limit.
  public static let least = 32

  /// - Parameter limit: descriptors that the process may have; `nil` for no limit.
  public init(limit: Int?) {
    guard let limit else {
      (jobs, publishing, connections, directories) = (.max, 512, .max, 64)
      return
    }
    // Two for each job, two for each that waits, and two connections a job: one in use, one kept or of a second piece.
    let share = max(1, (limit - DescriptorBudget.own) / 6)
    (jobs, publishing) = (share, min(512, share))
    (connections, directories) = (2 * share, max(1, min(64, share / 2)))
  }
}
