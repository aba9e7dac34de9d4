// The error for a value that the store's types permit and the job's do not.

import DrayCore

/// A row with an invalid column.
struct BadColumn: Error, CustomStringConvertible {
  var column: String
  var id: JobID
  var description: String { "column \(column) of job \(id)" }
}
