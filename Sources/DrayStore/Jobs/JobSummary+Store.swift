// Summaries of rows of `jobs`, for lists.

import DrayCore
import SQLite

extension JobSummary {
  static let columns = Column.list { column in
    switch column {
    case .rank: "ifnull(rank, id)"
    case .partStem: "json_extract(options, '$.partStem')"
    case .partDirectory: "json_extract(options, '$.partDirectory')"
    case .isOneOff: "ifnull(json_extract(options, '$.isOneOff'), 0)"
    case .waitsFor:
      """
      iif(state IN ('queued', 'paused', 'failed'),
        (SELECT group_concat(prerequisite) FROM prerequisites WHERE job = jobs.id), NULL)
      """
    case .groupName: GroupColumn.name
    case .hold:
      """
      iif(state IN ('queued', 'interrupted', 'paused'),
        (SELECT \(HoldColumn.json.sqlite.text) FROM origins WHERE origins.origin = jobs.origin), NULL)
      """
    case .labels: "json_extract(options, '$.labels')"
    case .pass: "(SELECT hold FROM hold_passes WHERE hold_passes.job = jobs.id)"
    case .part: "NULL"
    default: nil
    }
  }
}

extension SQLiteStore {
  func summaries(after id: JobID, of choice: JobChoice, limit: Int) async throws(Failure) -> [JobSummary] {
    var conditions = ["id > :after"]
    if let states = choice.states { conditions.append("+state IN (\(states.sql))") }
    if choice.queue != nil { conditions.append("queue = :queue") }
    if choice.group != nil { conditions.append("group_id = :group") }
    if !choice.labels.isEmpty { conditions.append(ClaimScope.condition(choice.labels, row: "jobs")) }
    let condition = conditions.joined(separator: " AND ")
    var arguments: StatementArguments = ["after": id, "limit": limit]
    if let queue = choice.queue { arguments.set("queue", to: queue) }
    if let group = choice.group { arguments.set("group", to: group) }
    let all = arguments
    return try await look { db in
      let select = try db.cachedStatement(
        sql: "SELECT \(JobSummary.columns) FROM jobs WHERE \(condition) ORDER BY id LIMIT :limit")
      var page: [JobSummary] = []
      page.reserveCapacity(min(limit, 1000))
      let rows = try Row.fetchCursor(select, arguments: all)
      while let row = try rows.next() { page.append(try JobSummary(ColumnRow(row))) }
      return page
    }
  }

  func newest(
    states: Set<JobState>, idsBeginningWith digits: String, limit: Int
  ) async throws(Failure) -> [JobSummary] {
    try await look { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(JobSummary.columns) FROM jobs WHERE +state IN (\(states.sql)) AND substr(id, 1, ?) = ?
          ORDER BY id DESC LIMIT ?
          """,
        arguments: [digits.count, digits, limit]
      ).map { try JobSummary(ColumnRow($0)) }
    }
  }
}
