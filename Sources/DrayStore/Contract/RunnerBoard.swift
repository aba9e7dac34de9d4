// The progress that a runner shows to other processes.

public import DrayCore

/// The progress of one active job.
public struct ProgressEntry: Sendable, Equatable {
  /// The current activity.
  public enum Phase: String, Sendable, CaseIterable {
    case waiting, connecting, sending, receiving, verifying, publishing
  }

  /// The job; 0 stands for the whole run.
  public var job: JobID
  /// Bytes of the file on disk. In ``Phase/sending``, bytes of the request body that were sent.
  public var received: Int64
  /// The length of the file or request body, if known.
  public var size: Int64?
  /// Bytes per second.
  public var rate: Double
  /// The current activity.
  public var phase: Phase
  /// The number of connections that fetch the file.
  public var connections: Int
  /// The parts on disk and the parts being fetched, if several connections fetch them.
  public var parts: FileParts?
  /// The name of the runner, in entries that were read from its board.
  public var runner: String?

  /// Creates an entry.
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
  /// The whole run, if the runner reports it.
  package var overall: ProgressEntry?
  /// The active jobs.
  package var entries: [ProgressEntry]
  /// The runner itself.
  package var runner: RunnerFacts?

  package init(overall: ProgressEntry? = nil, entries: [ProgressEntry], runner: RunnerFacts? = nil) {
    self.runner = runner
    self.overall = overall
    self.entries = entries
  }
}

/// What a runner says of itself.
package struct RunnerFacts: Sendable, Equatable {
  /// The name for people.
  package var name: String
  /// The version of its program.
  package var version: String
  /// When it began, in seconds since 1970.
  package var since: Int64

  package init(name: String, version: String, since: Int64) {
    (self.name, self.version, self.since) = (name, version, since)
  }

  /// The text in a board: `VERSION SINCE NAME`.
  var text: String { "\(version) \(since) \(name)" }

  init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 3, let since = Int64(words[1]) else { return nil }
    (version, self.since, name) = (String(words[0]), since, String(words[2]))
  }
}
