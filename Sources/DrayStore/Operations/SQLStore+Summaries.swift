// Reads summaries of jobs, for lists and watchers.

internal import DrayCore

extension JobSummary {
  static let select: SQL = ("SELECT \(columns.joined(by: ", ")) FROM \(.allJobs)" as SQL).fixed

  private static let columns = Column.allCases.map { column -> SQL in
    switch column {
    case .rank: "\(sqlite: "ifnull(rank, id)", postgres: "place")"
    case .partStem: SQL.option("partStem")
    case .partDirectory: SQL.option("partDirectory")
    case .isOneOff: "coalesce(\(.option("isOneOff"))\(postgres: "::bool"), \(sqlite: "0", postgres: "false"))"
    case .labels: SQL.option("labels")
    case .title: "\(sqlite: "json_extract(options, '$.source.title')", postgres: "(options #>> '{source,title}')")"
    case .waitsFor:
      """
      CASE WHEN state IN ('queued', 'paused', 'failed') THEN
        \(sqlite: "(SELECT group_concat(prerequisite) FROM prerequisites WHERE job = all_jobs.id)",
          postgres: "ARRAY(SELECT prerequisite FROM prerequisites WHERE job = all_jobs.id ORDER BY 1)") END
      """
    case .groupName: SQL(raw: GroupColumn.name)
    case .hold:
      """
      CASE WHEN state IN ('queued', 'interrupted', 'paused') THEN
        (SELECT \(HoldColumn.json) FROM origins WHERE origins.origin = all_jobs.origin) END
      """
    case .pass: "(SELECT hold FROM hold_passes WHERE hold_passes.job = all_jobs.id)"
    case .part: "\(sqlite: "NULL", postgres: "part")"
    default: SQL(raw: column.name)
    }
  }
}

extension SQLStore {
  func summaries(after id: JobID, of choice: JobChoice, limit: Int) async throws(Failure) -> [JobSummary] {
    let page = Self.page(of: choice, after: id, limit: limit)
    return try await look { db in try Self.summaries(db, "\(JobSummary.select) WHERE \(page)", upTo: min(limit, 1000)) }
  }

  /// Returns a condition that selects the first jobs after a number, in order.
  private static func page(of choice: JobChoice, after id: JobID, limit: Int) -> SQL {
    var rest: [SQL] = []
    if let queue = choice.queue { rest.append("queue = \(queue)") }
    if let group = choice.group { rest.append("group_id = \(group)") }
    if !choice.labels.isEmpty {
      // PostgreSQL uses the index only if this condition is the same as that of the index.
      let all: SQL = "options ? 'labels' AND (options -> 'labels') @> to_jsonb(\(choice.labels.map(\.text)))"
      rest.append("\(sqlite: SQL(raw: LabelColumn.condition(choice.labels, row: "all_jobs")), postgres: all)")
    }
    let states = choice.states == Set(JobState.allCases) ? nil : choice.states
    let isWalk = rest.isEmpty && states != nil
    if let states { rest.append("\(sqlite: "+")state \(in: states)") }
    let source: SQL = choice.group == nil && choice.labels.isEmpty ? .hot : .jobs
    let ids: SQL =
      if isWalk, let states {
        page(of: states, where: "hot.id > \(id)", limit: limit)
      } else {
        """
        SELECT hot.id FROM \(source) WHERE \((["hot.id > \(id)"] + rest).joined(by: " AND ")) ORDER BY hot.id LIMIT \(limit)
        """
      }
    // SQLite has all columns in one table, so one step is enough.
    let conditions = (["id > \(id)"] + rest).joined(by: " AND ")
    return "\(sqlite: "\(conditions) ORDER BY id LIMIT \(limit)", postgres: "id IN (\(ids)) ORDER BY id")"
  }

  func newest(
    states: Set<JobState>, idsBeginningWith digits: String, limit: Int
  ) async throws(Failure) -> [JobSummary] {
    let begins: SQL = """
      \(sqlite: "substr(hot.id, 1, \(digits.count)) = \(digits)", postgres: "starts_with(hot.id::text, \(digits))")
      """
    let page = Self.page(of: states, where: begins, order: "DESC", limit: limit)
    return try await look { db in
      try Self.summaries(db, "\(JobSummary.select) WHERE id IN (\(page)) ORDER BY id DESC", upTo: min(limit, 1000))
    }
  }

  func summaries(ids: [JobID]) async throws(Failure) -> [JobSummary] {
    guard !ids.isEmpty else { return [] }
    return try await look { db in
      let found = try Self.summaries(db, "\(JobSummary.select) WHERE id \(in: ids)", upTo: ids.count)
      let byID = RowsByID(found) { $0.id }
      return ids.compactMap { byID[$0] }
    }
  }

  /// Selects the first job numbers in these states by walking along the index of each state. A walk along all job
  /// numbers would also read the jobs in other states. The states are part of the text, because PostgreSQL can estimate
  /// the number of jobs only for constants.
  static func page(of states: Set<JobState>, where condition: SQL, order: String = "", limit: Int) -> SQL {
    guard !states.isEmpty else { return "SELECT id FROM jobs WHERE false" }
    let walks = states.texts.map { state -> SQL in
      """
      SELECT id FROM (
        SELECT hot.id FROM \(.hot) WHERE hot.state = '\(raw: state)' AND \(condition)
        ORDER BY hot.id \(raw: order) LIMIT \(limit)) AS \(raw: state)
      """
    }
    return
      "SELECT page.id FROM (\(walks.joined(by: " UNION ALL "))) AS page ORDER BY page.id \(raw: order) LIMIT \(limit)"
  }
}

enum LabelColumn {
  /// Returns SQLite's condition that a row has all of these labels.
  static func condition(_ labels: [JobLabel], row: String) -> String {
    // A label's characters need no escaping (`JobLabel`).
    labels.map { "EXISTS (SELECT 1 FROM json_each(\(row).options, '$.labels') WHERE value = '\($0.text)')" }
      .joined(separator: " AND ")
  }
}
