public import DrayStore

/// A change to a job, as its record in the store shows it.
public struct JobChange: Sendable {
  /// The kinds of changes.
  public enum Kind: Sendable, Equatable {
    /// Not a change: the job as it was when the reader started.
    case present
    /// The job was added.
    case added
    /// The job waits again, because it was resumed, retried, or given back.
    case queued
    /// An attempt started.
    case started(attempt: Int)
    /// A server answered.
    case answered(ResponseRecord)
    /// The attempt failed; the next one follows after `delay` seconds.
    case retrying(delay: Double)
    /// The job stopped; its bytes are kept.
    case interrupted
    /// A user paused the job.
    case paused
    /// The job failed permanently; `failure` in the job's record has the reason.
    case failed
    /// The job is complete.
    case complete
    /// The job was removed.
    case removed
    /// More bytes are on disk, or the runner has begun another step of the job.
    case progress(ProgressEntry)
  }

  /// The job.
  public var id: JobID
  /// The time at which the change was noticed, in seconds since 1970.
  public var time: Double
  /// The kind of change.
  public var kind: Kind
  /// The job's record after the change; `nil` for a removed job.
  public var record: JobSummary?
}
