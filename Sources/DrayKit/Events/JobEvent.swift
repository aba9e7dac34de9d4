// What happens to jobs while a runner has them, as values.

public import DrayCore

/// Something that happened to a job.
public struct JobEvent: Sendable, Equatable {
  /// What happened.
  public enum Kind: Sendable, Equatable {
    /// It was stored.
    case added
    /// An attempt began; whether it does so without checking certificates.
    case started(attempt: Int, isInsecure: Bool = false)
    /// A redirect is followed.
    case redirected(status: Int, from: RequestURL, to: RequestURL)
    /// Bytes are about to come, from position `from` on.
    case response(ResponseRecord, from: Int64, size: Int64?)
    /// The bytes on disk were given up.
    case restarted(StartOver)
    /// Some bytes of the part file are damaged; they are fetched again.
    case damaged(bytes: Int64)
    /// A partial file of another program was compared with the server's, and taken over or not.
    case adopted(Adoption)
    /// One of its mirrors is not used any more, for this reason.
    case mirrorDropped(RequestURL, reason: String)
    /// It failed and is tried again after `delay` seconds.
    case retrying(Failure, delay: Double)
    /// It stopped with its bytes kept; the failure is `nil` if the user stopped it.
    case interrupted(Failure?)
    /// It was paused by hand.
    case paused
    /// It was removed by hand.
    case removed
    /// The target is there already, and nothing was to be done (`--on-conflict skip`).
    case skipped(path: String)
    /// The target at `path` is of the version that the server has, and nothing was fetched (`--if-changed`).
    case upToDate(path: String)
    /// It failed permanently.
    case failed(Failure)
    /// What was run because it ended has come to its end.
    case hook(HookReport)
    /// It is whole, checked and published at `path`.
    case complete(path: String, size: Int64, digest: SourcedDigest?, note: String?)
    /// It was done, and the answer has no body, so there is no file: 204 to a PUT, say.
    case completeWithoutFile(note: String)
  }

  /// The job.
  public var id: JobID
  /// When, in seconds since 1970.
  public var time: Double
  /// What.
  public var kind: Kind

  /// Makes an event.
  public init(id: JobID, time: Double, kind: Kind) {
    self.id = id
    self.time = time
    self.kind = kind
  }
}

/// What an active job is at.
public enum JobPhase: String, Sendable {
  /// Name look-up, connection, request: no byte of the file has come yet.
  case connecting
  /// The body of the request is sent.
  case sending
  /// Bytes come.
  case receiving
  /// All bytes are here and are hashed.
  case verifying
  /// It is made durable and renamed.
  case publishing
}

/// An active job at one moment.
public struct ActiveJob: Sendable, Equatable {
  /// The job.
  public var id: JobID
  /// The name to show: that of the target where it is fixed, else one from the URL.
  public var name: String
  /// What it is at.
  public var phase: JobPhase
  /// Bytes of the file that are here.
  public var received: Int64
  /// The length of the file, `nil` if unknown.
  public var size: Int64?
  /// Bytes of the request's body that were sent.
  public var sent: Int64
  /// The length of the request's body; `nil` if there is none.
  public var toSend: Int64?
  /// Connections that fetch it at once.
  public var connections = 1
  /// Bytes a second, smoothed over a few seconds; `nil` where none came yet.
  public var rate: Double?
  /// The server that it is asked of.
  public var host: String?
  /// Which parts of the file are there and which are being fetched, while several connections fetch them.
  public var parts: FileParts?

  /// Creates a job with one connection, of which only the counts are known.
  public init(
    id: JobID, name: String, phase: JobPhase, received: Int64, size: Int64?, sent: Int64 = 0, toSend: Int64? = nil
  ) {
    (self.id, self.name, self.phase) = (id, name, phase)
    (self.received, self.size, self.sent, self.toSend) = (received, size, sent, toSend)
  }
}
