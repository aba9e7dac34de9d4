// What happens to jobs of a store, whichever process does it, as values.

public import DrayStore

/// Something that happened to a job, as its record in the store shows it.
public struct JobChange: Sendable {
  /// What happened.
  public enum Kind: Sendable, Equatable {
    /// Nothing yet: the job as it is when reading begins.
    case present
    /// It was added.
    case added
    /// It waits again: it was resumed, retried, or given back.
    case queued
    /// An attempt began.
    case started(attempt: Int)
    /// A server answered.
    case answered(ResponseRecord)
    /// Its attempt failed, and another follows after `delay` seconds.
    case retrying(delay: Double)
    /// It stopped with its bytes kept.
    case interrupted
    /// It was paused by hand.
    case paused
    /// It failed for good; `failure` of the record says why.
    case failed
    /// It is complete.
    case complete
    /// It was removed.
    case removed
    /// More of it is here, or its runner is at something else.
    case progress(ProgressEntry)
  }

  /// The job.
  public var id: JobID
  /// When it was noticed, in seconds since 1970.
  public var time: Double
  /// What happened.
  public var kind: Kind
  /// The job's record then; `nil` for one that was removed.
  public var record: JobSummary?
}
