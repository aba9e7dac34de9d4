// Light rows for lists: reading them parses no JSON and no URL.

import DrayCore
import SQLite

extension JobSummary {
  enum Column: Int, ColumnSet {
    case id, uuid, state, url, finalUrl, directory, foreignDepth, fileName, received, size, priority, rank, addedAt
    case finishedAt, attempts, digest, digestSource, failure, runner, notBefore, note, startAt, waitsFor, isOneOff
    case transferWindow
    case groupId, groupName, partStem, partDirectory, queue
    case hold, pass, labels

    var sql: String {
      switch self {
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
          (SELECT \(SQLiteStore.holdJSON) FROM origins WHERE origins.origin = jobs.origin), NULL)
        """
      case .labels: "json_extract(options, '$.labels')"
      case .pass: "(SELECT hold FROM hold_passes WHERE hold_passes.job = jobs.id)"
      default: name
      }
    }
  }

  static let columns = Column.list

  init(_ row: Row) throws {
    let row = ColumnRow<Column>(row)
    id = try row[.id]
    uuidText = try row[.uuid]
    guard let state = JobState(rawValue: try row[.state]) else { throw BadColumn(column: Column.state.name, id: id) }
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
    runnerText = try row[.runner]
    notBefore = try row[.notBefore]
    note = try row[.note]
    startAt = try row[.startAt]
    windowText = try row[.transferWindow]
    waitsFor = (try row[.waitsFor] as String?).map { $0.split(separator: ",").compactMap { JobID($0) }.sorted() } ?? []
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

extension SQLiteStore {
  func summaries(after id: JobID, states: Set<JobState>?, limit: Int) async throws(Failure) -> [JobSummary] {
    let condition = states.map { "AND +state IN (\($0.sql))" } ?? ""
    return try await look { db in
      let select = try db.cachedStatement(
        sql: "SELECT \(JobSummary.columns) FROM jobs WHERE id > ? \(condition) ORDER BY id LIMIT ?")
      var page: [JobSummary] = []
      page.reserveCapacity(min(limit, 1000))
      let rows = try Row.fetchCursor(select, arguments: [id, limit])
      while let row = try rows.next() { page.append(try JobSummary(row)) }
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
      ).map { try JobSummary($0) }
    }
  }
}
