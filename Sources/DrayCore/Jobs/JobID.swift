// The number of a job.

/// The number of a job. Numbers are not reused in a store.
public typealias JobID = Int64
