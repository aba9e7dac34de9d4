public import DrayCore

/// The progress of one active job.
public struct ProgressEntry: Sendable, Equatable {
  public enum Phase: String, Sendable, CaseIterable {
    case waiting, connecting, sending, receiving, verifying, publishing
  }

  /// The number of the job; 0 stands for the whole run.
  public var job: JobID
  /// The number of the file's bytes that are on disk. In the phase ``Phase/sending``, the bytes of the request body
  /// that were sent.
  public var received: Int64
  /// The length of the file or request body, if known.
  public var size: Int64?
  /// The rate in bytes per second.
  public var rate: Double
  public var phase: Phase
  /// The number of connections that fetch the file.
  public var connections: Int
  /// The parts on disk and the parts being fetched, if there are several connections.
  public var parts: FileParts?
  /// The name of the runner, if the entry was read from a board.
  public var runner: String?

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
