public import DrayCore

/// An event of a job.
public struct JobEvent: Sendable, Equatable {
  /// The kinds of events.
  public enum Kind: Sendable, Equatable {
    /// The job was stored.
    case added
    /// An attempt started. With `isInsecure`, the attempt does not check certificates. `title` is a readable name for a
    /// file that is named by its digest.
    case started(attempt: Int, isInsecure: Bool = false, title: String? = nil)
    /// A redirect is followed.
    case redirected(status: Int, from: RequestURL, to: RequestURL)
    /// Bytes from position `from` on are about to arrive.
    case response(ResponseRecord, from: Int64, size: Int64?)
    /// The bytes on disk were discarded.
    case restarted(StartOver)
    /// Bytes of the part file are damaged, and are fetched again.
    case damaged(bytes: Int64)
    /// Another program's partial file was compared with the server's, and adopted or not.
    case adopted(Adoption)
    /// The seeds of the job are about to be read; with an outcome, they were read, or are not used.
    case seeded(Seeding)
    /// A mirror is not used any more, for this reason.
    case mirrorDropped(RequestURL, reason: String)
    /// One of several interfaces is not used for now, for this reason; with `nil`, it is used again.
    case interfaceChanged(String, problem: String?)
    /// The file gets one connection until this time, in seconds since 1970, because its connections got different
    /// versions of it.
    case connectionsLimited(until: Double)
    /// The link had expired, which the server reported with this status, and the source with this name gave a new one.
    case linkRenewed(source: String, status: Int)
    /// The attempt failed; the next one follows after `delay` seconds.
    case retrying(Failure, delay: Double)
    /// The job waits until its named queue opens, if `queue` is given; otherwise, until the window of the job or of the
    /// run opens. `until` is the time of the opening, in seconds since 1970; `nil` for a queue that a user has paused.
    /// If `share` is given, the job was handed back for other machines instead, because the share at this path does not
    /// work on this machine.
    case waiting(until: Double?, queue: String? = nil, share: String? = nil)
    /// The job stopped, and its bytes are kept; the failure is `nil` if the user stopped it.
    case interrupted(Failure?)
    /// A user paused the job.
    case paused
    /// A user removed the job.
    case removed
    /// The target exists, so nothing was fetched (`--on-conflict skip`).
    case skipped(path: String)
    /// The target at `path` is the server's version, so nothing was fetched (`--if-changed`). With `isEdited`, somebody
    /// has changed the target since it was fetched, but the server's version is still the fetched one.
    case upToDate(path: String, isEdited: Bool = false)
    /// The job failed permanently.
    case failed(Failure)
    /// A hook has finished.
    case hook(HookReport)
    /// The file is complete, checked and published at `path`.
    case complete(path: String, size: Int64, digest: SourcedDigest?, note: String?)
    /// The job is done without a file, because the answer has no body, like a 204 to a PUT.
    case completeWithoutFile(note: String)
  }

  /// The job.
  public var id: JobID
  /// The time, in seconds since 1970.
  public var time: Double
  /// The kind of event.
  public var kind: Kind

  /// Creates an event.
  package init(id: JobID, time: Double, kind: Kind) {
    self.id = id
    self.time = time
    self.kind = kind
  }
}

/// The present step of an active job.
public enum JobPhase: String, Sendable {
  /// The job looks up the server's name, connects, or has sent the request; no byte of the file has arrived.
  case connecting
  /// The request body is being sent.
  case sending
  /// Bytes are arriving.
  case receiving
  /// All bytes are on disk and are being hashed.
  case verifying
  /// The file is being made durable and renamed.
  case publishing
}
