// Light rows for lists: reading them parses no JSON and no URL.

import DrayCore
import Postgres

import struct FoundationEssentials.UUID

extension JobSummary {
  enum FleetColumn: Int, ColumnSet {
    case id, uuid, state, url, finalUrl, directory, foreignDepth, fileName, received, size, priority, rank, addedAt
    case finishedAt, attempts, digest, digestSource, failure, runner, notBefore, note, startAt, waitsFor, isOneOff
    case transferWindow
    case groupId, groupName, partStem, partDirectory, queue
    case hold, pass, labels

    var sql: String {
      switch self {
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
      case .groupName: "(SELECT groups.name FROM groups WHERE groups.id = all_jobs.group_id)"
      case .hold:
        """
        CASE WHEN state IN ('queued', 'interrupted', 'paused') THEN
          (SELECT \(PostgresStore.holdJSON.statement.sql) FROM origins WHERE origins.origin = all_jobs.origin) END
        """
      case .pass: "(SELECT hold FROM hold_passes WHERE hold_passes.job = all_jobs.id)"
      default: name
      }
    }
  }

  /// The beginning of a statement that selects summaries.
  static let fleetSelect = "SELECT \(FleetColumn.list) FROM all_jobs"

  init(_ row: PostgresRow) throws {
    let row = FleetRow<FleetColumn>(row)
    id = try row[.id]
    uuidText = (try row[.uuid] as UUID).uuidString
    guard let state = JobState(rawValue: try row[.state]) else {
      throw BadColumn(column: FleetColumn.state.name, id: id)
    }
    self.state = state
    url = try row[.url]
    finalURL = try row[.finalUrl]
    directory = try row[.directory]
    foreignDepth = try row[.foreignDepth]
    fileName = try row[.fileName]
    received = try row[.received]
    size = try row[.size]
    priority = try row[.priority]
    rank = try row[.rank]
    addedAt = try row[.addedAt]
    finishedAt = try row[.finishedAt]
    attempts = try row[.attempts]
    digest = try row[.digest]
    digestSource = (try row[.digestSource] as String?).map(DigestSource.init(rawValue:))
    failureText = try row[.failure]
    runnerText = (try row[.runner] as UUID?)?.uuidString
    notBefore = try row[.notBefore]
    note = try row[.note]
    startAt = try row[.startAt]
    windowText = try row[.transferWindow]
    waitsFor = try (row[.waitsFor] as [JobID]?) ?? []
    isOneOff = try row[.isOneOff]
    group = GroupColumn.label(try row[.groupId], try row[.groupName])
    partStem = try row[.partStem]
    queue = try row[.queue]
    partDirectory = try row[.partDirectory]
    holdText = try row[.hold]
    passText = try row[.pass]
    labelsText = try row[.labels]
  }
}

extension PostgresStore {
  func summaries(after id: JobID, states: Set<JobState>?, limit: Int) async throws(Failure) -> [JobSummary] {
    let all = Set(JobState.allCases)
    let ids =
      states.map { $0 == all } ?? true
      ? "SELECT hot.id FROM hot WHERE hot.id > \(id) ORDER BY hot.id LIMIT \(limit)"
      : PostgresStore.page(of: states ?? all, where: "hot.id > \(id)", limit: limit)
    return try await look { db in
      try db.rows("\(raw: JobSummary.fleetSelect) WHERE id IN (\(ids)) ORDER BY id").map { try JobSummary($0) }
    }
  }

  /// Selects the first numbers of jobs in these states: a walk along the index of each state. A walk along all numbers
  /// would also read the jobs in other states. The states are part of the text, because the server estimates the number
  /// of jobs only for constants.
  static func page(of states: Set<JobState>, where condition: SQL, order: String = "", limit: Int) -> SQL {
    guard !states.isEmpty else { return "SELECT NULL::int8 WHERE false" }
    let walks = states.texts.map { state -> SQL in
      """
      (SELECT hot.id FROM hot WHERE hot.state = '\(raw: state)' AND \(condition)
        ORDER BY hot.id \(raw: order) LIMIT \(limit))
      """
    }
    return """
      SELECT page.id FROM (\(walks.joined(by: " UNION ALL "))) AS page ORDER BY page.id \(raw: order) LIMIT \(limit)
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
      ).map { try JobSummary($0) }
    }
  }

  func summaries(ids: [JobID]) async throws(Failure) -> [JobSummary] {
    guard !ids.isEmpty else { return [] }
    return try await look { db in
      let found = try db.rows("\(raw: JobSummary.fleetSelect) WHERE id = ANY(\(ids))").map { try JobSummary($0) }
      let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
      return ids.compactMap { byID[$0] }
    }
  }
}
