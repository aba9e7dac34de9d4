// The assignments to a job, written once for the tables of both databases.

/// The assignments to a job's columns. In SQLite they are in one table, in PostgreSQL in three.
struct Assignments: Sendable {
  /// Columns with their values, both in one order.
  struct Columns: Sendable {
    var names: String
    var values: SQL

    init(_ names: String, _ values: SQL) { (self.names, self.values) = (names, values) }
  }

  /// Those in `hot`.
  private(set) var hot: SQL?
  /// Those in `jobs`.
  var jobs: SQL?
  /// Those in `checkpoints`, if the job has a row there.
  var checkpoint: SQL?
  /// The columns of a checkpoint to record. PostgreSQL adds a row if the job has none.
  var recorded: Columns?

  init(_ hot: SQL? = nil, jobs: SQL? = nil, checkpoint: SQL? = nil, recording recorded: Columns? = nil) {
    (self.hot, self.jobs, self.checkpoint, self.recorded) = (hot, jobs, checkpoint, recorded)
  }

  /// Returns the assignments with more in `hot`.
  func with(_ more: SQL) -> Assignments {
    var all = self
    all.hot = hot.map { "\(more), \($0)" } ?? more
    return all
  }

  /// All assignments, for a table with all columns.
  var all: SQL {
    let columns: SQL? = recorded.map { "(\(raw: $0.names)) = (\($0.values))" }
    return [hot, jobs, checkpoint, columns].compactMap(\.self).joined(by: ", ")
  }
}
