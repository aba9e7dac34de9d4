// Reads rows of `all_jobs` as `Job` values.

import DrayCore
import Postgres

/// Reads rows of `SELECT \(FleetJobReader.columns) FROM all_jobs`.
struct FleetJobReader {
  /// The columns of a whole job, and the fence of the claim that the row shows.
  static let columns =
    JobDecoder.Column.list { column in
      switch column {
      case .groupName: FleetJobReader.groupName
      case .options: "options::text"
      default: nil
      }
    } + ", fence"

  /// The name of the group of a row of `all_jobs`.
  static let groupName = "(SELECT groups.name FROM groups WHERE groups.id = all_jobs.group_id)"

  private var decoder = JobDecoder()

  mutating func job(_ row: PostgresRow) throws -> Job { try decoder.job(FleetRow(row)) }

  static func fence(_ row: PostgresRow) throws -> Int64 { try row[JobDecoder.Column.allCases.count] }
}

extension PostgresStore {
  /// Returns the jobs that meet a condition on `all_jobs`, which may end with an order.
  static func jobs(_ db: FleetSession, where condition: SQL) throws -> [Job] {
    var reader = FleetJobReader()
    return try db.rows("SELECT \(raw: FleetJobReader.columns) FROM all_jobs WHERE \(condition)")
      .map { try reader.job($0) }
  }

  /// Returns the jobs with these numbers, in this order.
  static func jobs(_ db: FleetSession, ids: [JobID]) throws -> [Job] {
    guard !ids.isEmpty else { return [] }
    let found = try jobs(db, where: "id = ANY(\(ids))")
    if ids.count == 1 { return found }
    let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return ids.compactMap { byID[$0] }
  }

  /// Returns the job with this number, locked until the end of the transaction.
  static func lockedJob(_ db: FleetSession, _ id: JobID) throws -> Job? {
    var reader = FleetJobReader()
    return try db.all([
      "SELECT 1 FROM hot WHERE id = \(id) FOR UPDATE",
      "SELECT \(raw: FleetJobReader.columns) FROM all_jobs WHERE id = \(id)",
    ])[1].first.map { try reader.job($0) }
  }

  func jobs(where condition: SQL) async throws(Failure) -> [Job] {
    try await look { db in try PostgresStore.jobs(db, where: condition) }
  }
}
