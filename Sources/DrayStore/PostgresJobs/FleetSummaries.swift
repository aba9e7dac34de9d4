// Summaries of rows of `all_jobs`, for lists.

import DrayCore
import Postgres

extension JobSummary {
  /// The beginning of a statement that selects summaries.
  static let fleetSelect = "SELECT \(fleetColumns) FROM all_jobs"

  private static let fleetColumns = Column.list { column in
    switch column {
    case .rank: "place"
    case .partStem: "options ->> 'partStem'"
    case .partDirectory: "options ->> 'partDirectory'"
    case .isOneOff: "coalesce((options ->> 'isOneOff')::bool, false)"
    case .labels: "options ->> 'labels'"
    case .waitsFor:
      """
      CASE WHEN state IN ('queued', 'paused', 'failed') THEN
        ARRAY(SELECT prerequisite FROM prerequisites WHERE job = all_jobs.id ORDER BY 1) END
      """
    case .groupName: GroupColumn.name
    case .hold:
      """
      CASE WHEN state IN ('queued', 'interrupted', 'paused') THEN
        (SELECT \(HoldColumn.json.statement.sql) FROM origins WHERE origins.origin = all_jobs.origin) END
      """
    case .pass: "(SELECT hold FROM hold_passes WHERE hold_passes.job = all_jobs.id)"
    default: nil
    }
  }
}

extension PostgresStore {
  func summaries(after id: JobID, of choice: JobChoice, limit: Int) async throws(Failure) -> [JobSummary] {
    let ids = PostgresStore.page(of: choice, after: id, limit: limit)
    return try await look { db in
      try db.rows("\(raw: JobSummary.fleetSelect) WHERE id IN (\(ids)) ORDER BY id").map {
        try JobSummary(FleetRow($0))
      }
    }
  }

  /// Selects the first numbers of a selection behind a number.
  private static func page(of choice: JobChoice, after id: JobID, limit: Int) -> SQL {
    let (all, after): (_, SQL) = (Set(JobState.allCases), "hot.id > \(id)")
    let states = choice.states ?? all
    var rest: [SQL] = []
    if let queue = choice.queue { rest.append("queue = \(queue)") }
    if let group = choice.group { rest.append("group_id = \(group)") }
    if !choice.labels.isEmpty {
      // The first condition is that of the index.
      rest.append("options ? 'labels' AND (options -> 'labels') @> to_jsonb(\(choice.labels.map(\.text)))")
    }
    if rest.isEmpty, states != all { return page(of: states, where: after, limit: limit) }
    if states != all { rest.append("state = ANY(\(states.texts))") }
    let source = choice.group == nil && choice.labels.isEmpty ? "hot" : "hot JOIN jobs ON jobs.id = hot.id"
    return """
      SELECT hot.id FROM \(raw: source) WHERE \(([after] + rest).joined(by: " AND ")) ORDER BY hot.id LIMIT \(limit)
      """
  }

  func newest(
    states: Set<JobState>, idsBeginningWith digits: String, limit: Int
  ) async throws(Failure) -> [JobSummary] {
    let page = PostgresStore.page(
      of: states, where: "starts_with(hot.id::text, \(digits))", order: "DESC", limit: limit)
    return try await look { db in
      try db.rows(
        """
        \(raw: JobSummary.fleetSelect) WHERE id IN (\(page))
        ORDER BY id DESC
        """
      ).map { try JobSummary(FleetRow($0)) }
    }
  }

  func summaries(ids: [JobID]) async throws(Failure) -> [JobSummary] {
    guard !ids.isEmpty else { return [] }
    return try await look { db in
      let found = try db.rows("\(raw: JobSummary.fleetSelect) WHERE id = ANY(\(ids))").map {
        try JobSummary(FleetRow($0))
      }
      let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
      return ids.compactMap { byID[$0] }
    }
  }
}
