internal import DrayCore

/// The error for a value that the column's type allows, but the job's property does not.
struct BadColumn: Error, CustomStringConvertible {
  var column: String
  var id: JobID
  var description: String { "column \(column) of job \(id)" }
}
