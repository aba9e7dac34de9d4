// The number of a job.

/// The number that people call a job by; never used twice in one store.
public typealias JobID = Int64
