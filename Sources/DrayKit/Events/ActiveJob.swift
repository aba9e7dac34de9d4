package import DrayCore

/// An active job at one moment.
package struct ActiveJob: Sendable, Equatable {
  /// The job.
  package var id: JobID
  /// The name to show: the target's name if it is fixed, otherwise a name from the URL.
  package var name: String
  /// The present step of the job.
  package var phase: JobPhase
  /// The number of bytes of the file that are on disk.
  package var received: Int64
  /// The length of the file; `nil` if unknown.
  package var size: Int64?
  /// The number of bytes of the request body that were sent.
  package var sent: Int64
  /// The length of the request body; `nil` if there is none.
  package var toSend: Int64?
  /// The number of connections that fetch the file.
  package var connections = 1
  /// Bytes per second, smoothed over a few seconds; `nil` before the first byte.
  package var rate: Double?
  /// The host name of the server.
  package var host: String?
  /// The parts on disk and the parts being fetched, if there are several connections.
  package var parts: FileParts?

  /// Creates a job with one connection and only the given counts.
  package init(
    id: JobID, name: String, phase: JobPhase, received: Int64, size: Int64?, sent: Int64 = 0, toSend: Int64? = nil
  ) {
    (self.id, self.name, self.phase) = (id, name, phase)
    (self.received, self.size, self.sent, self.toSend) = (received, size, sent, toSend)
  }
}
