internal import DrayCore

/// The error for a value that is valid for the column's type, but not for the job's property.
struct BadColumn: Error, CustomStringConvertible {
  var column: String
  var id: JobID
  var description: String { "column \(column) of job \(id)" }
}
