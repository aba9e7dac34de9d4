#if Postgres

internal import DrayCore
internal import Postgres

/// Reads rows of `SELECT \(FleetJobReader.columns) FROM all_jobs`.
struct FleetJobReader {
  /// The columns of a whole job, and the fence of its claim.
  static let columns =
    JobDecoder.Column.list { column in
      switch column {
      case .groupName: GroupColumn.name
      case .options: "options::text"
      default: nil
      }
    } + ", fence"

  private var decoder = JobDecoder()

  mutating func job(_ row: PostgresRow) throws -> Job { try decoder.job(FleetRow(row)) }

  static func fence(_ row: PostgresRow) throws -> Int64 { try row[JobDecoder.Column.allCases.count] }
}

extension PostgresStore {
  static func jobs(_ db: FleetSession, where condition: SQL, after lock: SQL?) throws -> [Job] {
    let select: SQL = "SELECT \(raw: FleetJobReader.columns) FROM all_jobs WHERE \(condition)"
    let rows = try lock.map { try db.all([$0, select])[1] } ?? db.rows(select)
    var reader = FleetJobReader()
    return try rows.map { try reader.job($0) }
  }

  static func summaries(_ db: FleetSession, _ select: SQL, upTo count: Int) throws -> [JobSummary] {
    try db.rows(select).map { try JobSummary(FleetRow($0)) }
  }
}

#endif
