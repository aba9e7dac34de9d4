// A row of `jobs` as a `Job`, and values of DrayCore as what SQLite takes.

import DrayCore
import GRDB

import struct Foundation.UUID

/// A row that does not say what it should.
struct BadColumn: Error, CustomStringConvertible {
  var column: String
  var id: JobID
  var description: String { "column \(column) of job \(id)" }
}

/// Takes the columns of a row one after the other: a look-up by name costs more than the value.
struct RowWalk {
  let row: Row
  private var index = 0

  init(_ row: Row) { self.row = row }

  mutating func next<Value: DatabaseValueConvertible & StatementColumnConvertible>() -> Value {
    defer { index += 1 }
    return row[index]
  }
}

/// Reads rows of `SELECT \(JobReader.columns) FROM jobs`.
struct JobReader {
  private var requests = RequestColumn()
  private var options = JSONColumn<JobOptions>()

  /// The columns in the order in which ``job(_:)`` takes them.
  static let columns = """
    id, uuid, added_at, state, url, request, options, directory, output, priority, file_name, segments, size, etag,
    last_modified, date, response, publishing, published, digest, attempts, retries_used, furthest, not_before,
    finished_at, failure, note, runner, start_at, digest_source, offered, foreign_depth
    """

  mutating func job(_ row: Row) throws -> Job {
    var row = RowWalk(row)
    let id: JobID = row.next()
    func wanted<T>(_ column: String, _ value: T?) throws -> T {
      guard let value else { throw BadColumn(column: column, id: id) }
      return value
    }
    func json<T: Codable & Equatable>(_ text: String?, _: T.Type = T.self) throws -> T? {
      try text.map { try JSONColumn<T>.value($0) }
    }

    let uuid = try wanted("uuid", UUID(uuidString: row.next()))
    let addedAt: Double = row.next()
    let state = try wanted("state", JobState(rawValue: row.next()))
    let address: String = row.next()
    let url = try RequestURL(normalized: address) ?? RequestURL.parse(address).url
    let specification = JobSpecification(
      request: try requests.decode(row.next(), url: url), options: try options.decode(row.next()),
      directory: row.next(), output: row.next(), priority: row.next())
    var job = Job(id: id, uuid: uuid, specification: specification, addedAt: addedAt)
    job.state = state
    job.fileName = row.next()
    job.checkpoint = Checkpoint(
      segments: try wanted("segments", SegmentSet(row.next() as String)), size: row.next(),
      validators: Validators(etag: row.next(), lastModified: row.next(), date: row.next()))
    job.response = try json(row.next())
    job.publishing = try json(row.next())
    job.published = try json(row.next())
    job.digest = try (row.next() as String?).map { try DigestValue.parse($0) }
    job.attempts = row.next()
    job.retry = RetryRecord(used: row.next(), furthest: row.next())
    job.notBefore = row.next()
    job.finishedAt = row.next()
    job.failure = try json(row.next())
    job.note = row.next()
    job.runner = (row.next() as String?).flatMap(UUID.init(uuidString:))
    job.specification.startAt = row.next()
    job.digestSource = (row.next() as String?).map(DigestSource.init(rawValue:))
    job.checkpoint.offered = try json(row.next()) ?? []
    job.specification.foreignDepth = row.next()
    return job
  }
}

extension Optional where Wrapped: Codable & Equatable {
  /// The JSON of the value, where there is one.
  func jsonText() throws -> String? { try map { try JSONColumn<Wrapped>.text($0) } }
}
