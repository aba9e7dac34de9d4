// Adding jobs: all of a call in one durable transaction, so that it is told of all of them or of none (P3).

public import DrayCore
import GRDB

public import struct Foundation.UUID

/// What became of a specification that was added.
public struct AddedJob: Sendable, Equatable {
  /// The number of the job.
  public var id: JobID
  /// The UUID of its files.
  public var uuid: UUID
  /// Whether the job was there already: an unfinished one with the same URL, directory and output.
  public var existing: Bool

  /// Makes the record.
  public init(id: JobID, uuid: UUID, existing: Bool) {
    self.id = id
    self.uuid = uuid
    self.existing = existing
  }
}

extension JobStore {
  /// Adds jobs, and returns when they are durable. The sequence is walked once, and never held as a whole.
  ///
  /// A specification with the URL, directory and output of an unfinished job, or of one before it in this call, is that
  /// job. One whose explicit output is the target of an unfinished job with another URL gets a numbered name where
  /// its conflict policy says `rename`, and is refused otherwise.
  /// - Parameter marks: entries of feeds that are remembered in the same transaction.
  /// - Returns: one entry for each specification, in order.
  /// - Throws: kind `file` for a target that is taken; then nothing was added. Otherwise kind `store`.
  public func add(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark> = [], now: Double
  ) throws(Failure) -> [AddedJob] {
    try write(.durable) { db in
      try JobStore.remember(marks, db, now: now)
      var requests = RequestColumn()
      var options = JSONColumn<JobOptions>()
      let insert = try db.makeStatement(
        sql: """
          INSERT INTO jobs (uuid, state, priority, url, origin, directory, output, file_name, added_at, request, options)
          VALUES (?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """)
      let same = try db.makeStatement(
        sql: """
          SELECT id, uuid FROM jobs
          WHERE url = ? AND directory = ? AND output IS ? AND state NOT IN ('complete', 'failed')
          ORDER BY id DESC LIMIT 1
          """)
      return try specifications.map { specification in
        let url = specification.request.url
        if let row = try Row.fetchOne(
          same, arguments: [url.string, specification.directory, specification.output])
        {
          return AddedJob(id: row[0], uuid: row[1], existing: true)
        }
        let name = try specification.output.map { output in
          try Targets.free(
            output, in: specification.directory, policy: specification.options.onConflict, db: db)
        }
        let uuid = UUID()
        try insert.execute(arguments: [
          uuid.uuidString, specification.priority, url.string, url.origin.description,
          specification.directory,
          specification.output, name, now, try requests.encode(specification.request),
          try options.encode(specification.options),
        ])
        return AddedJob(id: db.lastInsertedRowID, uuid: uuid, existing: false)
      }
    }
  }
}
