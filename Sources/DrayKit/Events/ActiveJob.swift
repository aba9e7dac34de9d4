public import DrayCore

/// An active job at one moment.
public struct ActiveJob: Sendable, Equatable {
  /// The job.
  public var id: JobID
  /// The name to show: the target's name if it is fixed, otherwise a name from the URL.
  public var name: String
  /// The present step of the job.
  public var phase: JobPhase
  /// The number of bytes of the file that are on disk.
  public var received: Int64
  /// The length of the file; `nil` if unknown.
  public var size: Int64?
  /// The number of bytes of the request body that were sent.
  public var sent: Int64
  /// The length of the request body; `nil` if there is none.
  public var toSend: Int64?
  /// The number of connections that fetch the file.
  public var connections = 1
  /// Bytes per second, smoothed over a few seconds; `nil` before the first byte.
  public var rate: Double?
  /// The host name of the server.
  public var host: String?
  /// The parts on disk and the parts being fetched, if there are several connections.
  public var parts: FileParts?

  /// Creates a job with one connection and only the given counts.
  public init(
    id: JobID, name: String, phase: JobPhase, received: Int64, size: Int64?, sent: Int64 = 0, toSend: Int64? = nil
  ) {
    (self.id, self.name, self.phase) = (id, name, phase)
    (self.received, self.size, self.sent, self.toSend) = (received, size, sent, toSend)
  }
}
