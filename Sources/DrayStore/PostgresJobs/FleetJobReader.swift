// Decodes rows of `all_jobs` into `Job` values.

import DrayCore
import Postgres

import struct FoundationEssentials.UUID

/// Reads rows of `SELECT \(FleetJobReader.columns) FROM all_jobs`.
struct FleetJobReader {
  /// The columns of a whole job.
  enum Column: Int, ColumnSet {
    case id, uuid, addedAt, state, url, request, options, directory, foreignDepth, output, priority, startAt
    case transferWindow
    case fileName, segments, size, etag, lastModified, date, offered, provenance, upload
    case response, publishing, published, digest, digestSource
    case attempts, retriesUsed, furthest, notBefore, finishedAt, failure, note, runner, groupId, groupName, queue
    case fence

    var sql: String {
      switch self {
      case .groupName: "(SELECT groups.name FROM groups WHERE groups.id = all_jobs.group_id)"
      case .options: "options::text"
      default: name
      }
    }
  }

  static let columns = Column.list

  private var requests = RequestColumn()
  private var options = JSONColumn<JobOptions>()

  mutating func job(_ row: PostgresRow) throws -> Job {
    let row = FleetRow<Column>(row)
    let id: JobID = try row[.id]
    func wanted<T>(_ column: Column, _ value: T?) throws -> T {
      guard let value else { throw BadColumn(column: column.name, id: id) }
      return value
    }
    func json<T: Codable & Equatable>(_ column: Column, _: T.Type = T.self) throws -> T? {
      try (row[column] as String?).map { try JSONColumn<T>.value($0) }
    }

    let address: String = try row[.url]
    let url = try RequestURL(normalized: address) ?? RequestURL.parse(address).url
    var specification = JobSpecification(
      request: try requests.decode(row[.request], url: url), options: try options.decode(row[.options]),
      directory: try row[.directory], output: try row[.output], priority: try row[.priority])
    specification.startAt = try row[.startAt]
    specification.window = try (row[.transferWindow] as String?).map { try TransferWindow.parse($0) }
    specification.foreignDepth = try row[.foreignDepth]
    specification.queue = try row[.queue]
    var job = Job(id: id, uuid: try row[.uuid], specification: specification, addedAt: try row[.addedAt])
    job.state = try wanted(.state, JobState(rawValue: row[.state]))
    job.fileName = try row[.fileName]
    job.checkpoint = Checkpoint(
      segments: try wanted(.segments, SegmentSet(row[.segments] as String)), size: try row[.size],
      validators: Validators(etag: try row[.etag], lastModified: try row[.lastModified], date: try row[.date]))
    job.checkpoint.offered = try json(.offered) ?? []
    job.checkpoint.provenance = try json(.provenance)
    job.checkpoint.upload = try json(.upload)
    job.response = try json(.response)
    job.publishing = try json(.publishing)
    job.published = try json(.published)
    if job.published != nil, job.checkpoint.provenance == nil, let response = job.response {
      // A small file is published without a checkpoint. A repair continues the bytes of its answer.
      job.checkpoint.provenance = Provenance(response.head, from: response.finalURL)
    }
    // The permission to replace a damaged target is void without the record of the published file (P2).
    if job.published == nil { job.specification.options.repairs = nil }
    job.digest = try (row[.digest] as String?).map { try DigestValue.parse($0) }
    job.digestSource = (try row[.digestSource] as String?).map(DigestSource.init(rawValue:))
    job.attempts = try row[.attempts]
    job.retry = RetryRecord(used: try row[.retriesUsed], furthest: try row[.furthest])
    job.notBefore = try row[.notBefore]
    job.finishedAt = try row[.finishedAt]
    job.failure = try json(.failure)
    job.note = try row[.note]
    job.runner = try row[.runner]
    job.group = GroupColumn.label(try row[.groupId], try row[.groupName])
    return job
  }

  /// The fence of the claim that the row shows.
  static func fence(_ row: PostgresRow) throws -> Int64 { try FleetRow<Column>(row)[.fence] }
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

  /// Returns the job with this number, which nobody changes until the end of the transaction.
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
