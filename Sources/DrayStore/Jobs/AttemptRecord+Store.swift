// The history of a job in the store.

internal import DrayCore
internal import SQLite

extension AttemptRecord {
  /// The number of values in a row, and of rows that one statement adds.
  private static let (columnCount, many) = (7, 32)

  private static let (insertOne, insertMany) = (statement(rows: 1), statement(rows: many))

  private static func statement(rows: Int) -> String {
    let row = "(?, ?, ?, ?, ?, ?, ?)"
    return """
      INSERT INTO attempts (job, started_at, ended_at, outcome, message, first_byte, last_byte)
      VALUES \(repeatElement(row, count: rows).joined(separator: ", "))
      """
  }

  /// Returns the values in the order of the columns.
  func values(of job: JobID) -> [DatabaseValue] {
    [
      .integer(job), .real(startedAt), .real(endedAt), .text(outcome), message.databaseValue, firstByte.databaseValue,
      lastByte.databaseValue,
    ]
  }

  /// Inserts attempts, many with one statement; older attempts stay.
  /// - Parameter values: The values of all rows.
  static func insert(_ values: [DatabaseValue], _ db: Database) throws {
    var start = 0
    while start < values.count {
      let isWhole = values.count - start >= many * columnCount
      let end = start + (isWhole ? many : 1) * columnCount
      try db.cachedStatement(sql: isWhole ? insertMany : insertOne)
        .execute(arguments: StatementArguments(values: Array(values[start..<end])))
      start = end
    }
  }
}
