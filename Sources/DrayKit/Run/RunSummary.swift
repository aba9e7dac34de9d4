public import DrayCore

/// The results of a run.
public struct RunSummary: Sendable, Equatable {
  /// The number of completed jobs.
  public var complete = 0
  /// The number of jobs that failed permanently.
  public var failed = 0
  /// The number of jobs that stopped with their bytes kept, including paused and removed ones.
  public var interrupted = 0
  /// The number of ``interrupted`` jobs that a user paused.
  public var paused = 0
  /// The number of ``interrupted`` jobs that a user removed.
  public var removed = 0
  /// Whether the run stopped at its limit of transferred bytes (``RunOptions/maxTransfer``).
  public var reachedMaxTransfer = false
  /// Why the run left queued jobs to other machines: for each share that does not work here.
  public var refusals: [Failure] = []
  /// The exit statuses of the jobs' failures.
  public var statuses: Set<ExitStatus> = []

  /// Creates the summary of a run without ended jobs.
  public init() {}

  /// The number of ``interrupted`` jobs that were neither paused nor removed by a user.
  public var interruptedOnly: Int { interrupted - paused - removed }

  /// Whether no job ended.
  public var isEmpty: Bool { complete + failed + interrupted == 0 }

  /// The exit status of the run itself.
  public var exitStatus: ExitStatus { ExitStatus.combined(statuses) }
}
