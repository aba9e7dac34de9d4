// Changes the request and options of a job when its user requests the same download again.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func renew(_ id: JobID, with specification: JobSpecification) async throws(Failure) -> Bool {
    try await write(.lazy) { db in
      var specification = specification
      specification.options = try SQLiteStore.keepingAdoption(db, of: id, in: specification.options)
      specification.options = try SQLiteStore.keepingRepair(db, of: id, in: specification.options)
      return try SQLiteStore.renew(db, id, specification, where: "state IN ('queued', 'interrupted', 'paused')")
    }
  }

  /// Returns `options` with the partial file that the job adopted, unless they name another one.
  static func keepingAdoption(_ db: Database, of id: JobID, in options: JobOptions) throws -> JobOptions {
    let select = #"SELECT options FROM jobs WHERE id = ? AND options LIKE '%"adopts":{%'"#
    guard let row = try Row.fetchOne(db.cachedStatement(sql: select), arguments: [id]) else { return options }
    return options.keepingAdoption(of: try JSONColumn<JobOptions>.value(row[0]))
  }

  /// Returns `options` with the file that a repair may replace and the proof of its bytes. Other jobs' options stay.
  private static func keepingRepair(_ db: Database, of id: JobID, in options: JobOptions) throws -> JobOptions {
    let select = "SELECT options FROM jobs WHERE id = ? AND state <> 'complete' AND \(isRepair)"
    guard let row = try Row.fetchOne(db.cachedStatement(sql: select), arguments: [id]) else { return options }
    return options.keepingRepair(of: try JSONColumn<JobOptions>.value(row[0]))
  }

  static func renew(
    _ db: Database, _ id: JobID, _ specification: JobSpecification, where condition: String
  ) throws -> Bool {
    var requests = RequestColumn()
    var options = JSONColumn<JobOptions>()
    var row = Arguments()
    let update = """
      UPDATE jobs SET request = \(row.bind(try requests.encode(specification.request))),
        foreign_depth = \(row.bind(specification.foreignDepth)),
        priority = iif(\(row.bind(specification.priority)) = 0, priority, \(row.bind(specification.priority))),
        queue = ifnull(\(row.bind(specification.queue)), queue),
        transfer_window = ifnull(\(row.bind(specification.window?.description)), transfer_window),
        options = json_patch(\(row.bind(try options.encode(specification.options))),
          iif(state = 'complete', '{}', json_object('partStem', json_extract(options, '$.partStem'),
            'partDirectory', json_extract(options, '$.partDirectory'),
            'askedDirectory', json_extract(options, '$.askedDirectory'))))
      WHERE id = \(row.bind(id)) AND url = \(row.bind(specification.request.url.string)) AND \(condition)
      """
    try db.execute(sql: update, arguments: row.all)
    return db.changesCount == 1
  }

  func beginRepair(
    _ id: JobID, _ specification: JobSpecification, sums: BlockSums, runner: UUID
  ) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      try SQLiteStore.expectRepaired(db, id, sums)
      return try SQLiteStore.set(db, id, specification, Checkpoint()) {
        "state = 'active', runner = \($0.bind(runner.uuidString))"
      } where: { _ in
        "state = 'complete'"
      }
    }
  }

  func abandonRepair(_ job: Job, runner: UUID) async throws(Failure) {
    try await write(.durable) { db in
      let isHeld = try SQLiteStore.set(db, job.id, job.specification, job.checkpoint) { _ in
        "command = NULL"
      } where: {
        "runner = \($0.bind(runner.uuidString)) AND command IS NOT 'remove'"
      }
      if isHeld { _ = try SQLiteStore.takeBackRepair(db, job.id, note: nil, now: nil) }
    }
  }

  func queueRepair(
    _ id: JobID, _ specification: JobSpecification, _ checkpoint: Checkpoint, runner: UUID
  ) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      let isQueued = try SQLiteStore.set(db, id, specification, checkpoint) { _ in
        """
        state = iif(command IS 'pause', 'paused', 'queued'), runner = NULL, command = NULL, digest_retried = 0,
        retries_used = 0, furthest = 0, not_before = NULL, waiting_since = NULL, start_at = NULL, finished_at = NULL,
        failure = NULL, note = NULL, publishing = NULL
        """
      } where: {
        "runner = \($0.bind(runner.uuidString)) AND command IS NOT 'remove'"
      }
      if isQueued { try SQLiteStore.record(db, checkpoint.sums, of: id) }
      return isQueued
    }
  }

  /// Sets the specification and checkpoint of a job, and more columns.
  /// - Returns: whether the job met the condition.
  private static func set(
    _ db: Database, _ id: JobID, _ specification: JobSpecification, _ checkpoint: Checkpoint,
    _ more: (inout Arguments) -> String, where condition: (inout Arguments) -> String
  ) throws -> Bool {
    var requests = RequestColumn()
    var options = JSONColumn<JobOptions>()
    var row = Arguments()
    let update = """
      UPDATE jobs SET request = \(row.bind(try requests.encode(specification.request))),
        options = \(row.bind(try options.encode(specification.options))),
        segments = \(row.bind(checkpoint.segments.description)), received = \(row.bind(checkpoint.segments.count)),
        \(more(&row))
      WHERE id = \(row.bind(id)) AND \(condition(&row))
      """
    try db.execute(sql: update, arguments: row.all)
    return db.changesCount == 1
  }

  func recheck(_ jobs: [(id: JobID, specification: JobSpecification)]) async throws(Failure) {
    try await write(.durable) { db in
      for (id, specification) in jobs
      where try SQLiteStore.renew(db, id, specification, where: "state = 'complete'") {
        try db.cachedStatement(
          sql: """
            UPDATE jobs SET state = 'queued', segments = '', received = 0, offered = NULL, digest = NULL, digest_retried = 0,
              retries_used = 0, furthest = 0, not_before = NULL, waiting_since = NULL, finished_at = NULL,
              failure = NULL, note = NULL, publishing = NULL
            WHERE id = ? AND state = 'complete'
            """
        ).execute(arguments: [id])
      }
    }
  }
}
