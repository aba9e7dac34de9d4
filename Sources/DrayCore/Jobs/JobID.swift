/// The number of a job. A store never uses a number twice.
public typealias JobID = Int64
