// What a runner shows others of its progress.

public import DrayCore

/// How far one active job is.
public struct ProgressEntry: Sendable, Equatable {
  /// What it is doing.
  public enum Phase: String, Sendable, CaseIterable {
    case waiting, connecting, sending, receiving, verifying, publishing
  }

  /// The job; 0 stands for all of the run.
  public var job: JobID
  /// Bytes of the file that are there; while it is ``Phase/sending``, bytes of the request's body that were sent.
  public var received: Int64
  /// The length of the file, or of that body, if known.
  public var size: Int64?
  /// Bytes a second.
  public var rate: Double
  /// What it is doing.
  public var phase: Phase
  /// Connections that fetch it at once.
  public var connections: Int
  /// Which parts of the file are there and which are being fetched, while several connections fetch them.
  public var parts: FileParts?

  /// Makes an entry.
  public init(
    job: JobID, received: Int64, size: Int64?, rate: Double, phase: Phase, connections: Int = 1, parts: FileParts? = nil
  ) {
    (self.connections, self.parts) = (connections, parts)
    self.job = job
    self.received = received
    self.size = size
    self.rate = rate
    self.phase = phase
  }
}

/// The progress of a runner at one moment.
package struct RunnerBoard: Sendable, Equatable {
  /// All of the run, where the runner reports it.
  package var overall: ProgressEntry?
  /// The active jobs.
  package var entries: [ProgressEntry]

  /// Makes a board.
  package init(overall: ProgressEntry? = nil, entries: [ProgressEntry]) {
    self.overall = overall
    self.entries = entries
  }
}
