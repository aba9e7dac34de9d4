// A runner at one moment, for those who show it.

/// A runner at one moment.
public struct RunnerSnapshot: Sendable, Equatable {
  /// The jobs that it transfers, in the order they began.
  public var active: [ActiveJob]
  /// Jobs of its scope that wait, for a slot or for a time.
  public var queued: Int
  /// Jobs of its scope that another runner transfers.
  public var elsewhere: Int
  /// How the jobs ended that ended since it began.
  public var summary: RunSummary
  /// Bytes of the files that were completed since it began.
  public var completeBytes: Int64
  /// The limit on all jobs together, in bytes per second; `nil` if there is none.
  public var limit: Int64?

  /// Creates a snapshot; without arguments, of a runner that has nothing to do.
  public init(
    active: [ActiveJob] = [], queued: Int = 0, elsewhere: Int = 0, summary: RunSummary = RunSummary(),
    completeBytes: Int64 = 0, limit: Int64? = nil
  ) {
    (self.active, self.queued, self.elsewhere) = (active, queued, elsewhere)
    (self.summary, self.completeBytes, self.limit) = (summary, completeBytes, limit)
  }
}
