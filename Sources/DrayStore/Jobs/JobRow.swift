internal import DrayCore
internal import SQLite

/// Reads rows of `SELECT \(JobReader.columns) FROM jobs`.
struct JobReader {
  static let columns = JobDecoder.Column.list { column in
    switch column {
    case .groupName: GroupColumn.name
    // On one machine, part files need no generations, because their locks end with their processes.
    case .part: "NULL"
    default: nil
    }
  }

  private var decoder = JobDecoder()

  // Inlined, because a call would copy the job again, and jobs are large.
  @inline(__always)
  mutating func job(_ row: Row) throws -> Job { try decoder.job(ColumnRow(row)) }
}

extension SQLiteStore {
  /// Takes no lock: a transaction of SQLite excludes all others.
  static func jobs(_ db: Database, where condition: SQL, after lock: SQL?) throws -> [Job] {
    var reader = JobReader()
    return try db.rows("SELECT \(raw: JobReader.columns) FROM \(.allJobs) WHERE \(condition)").map {
      try reader.job($0)
    }
  }
}

extension SQLiteStore {
  static func summaries(_ db: Database, _ select: SQL, upTo count: Int) throws -> [JobSummary] {
    let (statement, arguments) = try select.sqlite(db)
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    var all: [JobSummary] = []
    all.reserveCapacity(count)
    while let row = try rows.next() { all.append(try JobSummary(ColumnRow(row))) }
    return all
  }
}

extension Optional where Wrapped: Codable & Equatable {
  func jsonText() throws -> String? { try map { try JSONColumn<Wrapped>.text($0) } }
}
