/// Assignments to a job's columns, written once for both databases. In SQLite, the columns are in one table; in
/// PostgreSQL, they are in three.
struct Assignments: Sendable {
  /// Columns and their values, in the same order.
  struct Columns: Sendable {
    var names: String
    var values: SQL

    init(_ names: String, _ values: SQL) { (self.names, self.values) = (names, values) }
  }

  /// The assignments in `hot`.
  private(set) var hot: SQL?
  /// The assignments in `jobs`.
  var jobs: SQL?
  /// The assignments in `checkpoints`, for a job that has a row in this table.
  var checkpoint: SQL?
  /// The columns of a checkpoint to record; PostgreSQL inserts a row if the job has none.
  var recorded: Columns?

  init(_ hot: SQL? = nil, jobs: SQL? = nil, checkpoint: SQL? = nil, recording recorded: Columns? = nil) {
    (self.hot, self.jobs, self.checkpoint, self.recorded) = (hot, jobs, checkpoint, recorded)
  }

  /// Returns these assignments with `more` appended to those in `hot`.
  func with(_ more: SQL) -> Assignments {
    var all = self
    all.hot = hot.map { "\(more), \($0)" } ?? more
    return all
  }

  /// All assignments together, for a table that has all columns.
  var all: SQL {
    let columns: SQL? = recorded.map { "(\(raw: $0.names)) = (\($0.values))" }
    return [hot, jobs, checkpoint, columns].compactMap(\.self).joined(by: ", ")
  }
}
