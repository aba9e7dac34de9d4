internal import DrayCore

/// The error for a value that the type of a column permits and the type of the job's property does not.
struct BadColumn: Error, CustomStringConvertible {
  var column: String
  var id: JobID
  var description: String { "column \(column) of job \(id)" }
}
