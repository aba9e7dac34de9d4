// What a run came to.

public import DrayCore

/// What a run came to.
public struct RunSummary: Sendable, Equatable {
  /// Jobs that were completed.
  public var complete = 0
  /// Jobs that failed permanently.
  public var failed = 0
  /// Jobs that stopped with their bytes kept, paused and removed ones among them.
  public var interrupted = 0
  /// How many of those were paused by hand.
  public var paused = 0
  /// How many of those were removed by hand.
  public var removed = 0
  /// The kinds of failure that jobs ended with.
  public var statuses: Set<ExitStatus> = []

  /// Of a run in which nothing has ended yet.
  public init() {}

  /// Jobs that were interrupted, but not paused or removed by hand.
  public var interruptedOnly: Int { interrupted - paused - removed }

  /// Whether no job ended.
  public var isEmpty: Bool { complete + failed + interrupted == 0 }

  /// The exit status that the run gives by itself.
  public var exitStatus: ExitStatus { ExitStatus.combined(statuses) }
}
