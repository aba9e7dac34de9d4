// Decodes rows of `jobs` into `Job` values.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

/// A row with an invalid column.
struct BadColumn: Error, CustomStringConvertible {
  var column: String
  var id: JobID
  var description: String { "column \(column) of job \(id)" }
}

/// Reads rows of `SELECT \(JobReader.columns) FROM jobs`.
struct JobReader {
  /// The columns of a whole job.
  enum Column: Int, ColumnSet {
    case id, uuid, addedAt, state, url, request, options, directory, foreignDepth, output, priority, startAt
    case transferWindow
    case fileName, segments, size, etag, lastModified, date, offered, provenance, upload
    case response, publishing, published, digest, digestSource
    case attempts, retriesUsed, furthest, notBefore, finishedAt, failure, note, runner, groupId, groupName, queue

    var sql: String { self == .groupName ? GroupColumn.name : name }
  }

  static let columns = Column.list

  private var requests = RequestColumn()
  private var options = JSONColumn<JobOptions>()

  mutating func job(_ row: Row) throws -> Job {
    let row = ColumnRow<Column>(row)
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
    var job = Job(
      id: id, uuid: try wanted(.uuid, UUID(text: row[.uuid])), specification: specification,
      addedAt: try row[.addedAt])
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
    job.runner = (try row[.runner] as String?).flatMap(UUID.init(text:))
    job.group = GroupColumn.label(try row[.groupId], try row[.groupName])
    return job
  }
}

extension Optional where Wrapped: Codable & Equatable {
  /// Returns the JSON of the value, if any.
  func jsonText() throws -> String? { try map { try JSONColumn<Wrapped>.text($0) } }
}
