// The number of a job.

/// The number of a job; never used twice in one store.
public typealias JobID = Int64
