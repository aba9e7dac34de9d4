// Adds jobs: one call is one durable transaction, all or nothing (P3).

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func add(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark>, now: Double,
    seen: Set<JobID>?, entering entrance: Entrance
  ) async throws(Failure) -> [AddedJob] {
    // The caller waits, so nobody else uses the sequence.
    nonisolated(unsafe) let specifications = AnySequence(specifications)
    return try await write(.durable) { db in
      try SQLiteStore.remember(marks, db, now: now)
      let added = try SQLiteStore.add(db, specifications, now: now, seen: seen, entering: entrance)
      if let place = entrance.place {
        let new = added.filter { !$0.existing }.map(\.id)
        try SQLiteStore.move(db, new, to: try SQLiteStore.place(db, place))
      }
      return added
    }
  }

  /// Adds jobs within the caller's transaction.
  /// - Parameters:
  ///   - entrance: the UUIDs and states of the new jobs; its position is ignored.
  ///   - isApart: whether all are new jobs, even if equal ones exist.
  static func add(
    _ db: Database, _ specifications: some Sequence<JobSpecification>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance = Entrance(), isApart: Bool = false
  ) throws -> [AddedJob] {
    var requests = RequestColumn()
    var options = JSONColumn<JobOptions>()
    var insert: Statement?
    let same = try db.cachedStatement(
      sql: """
        SELECT id, uuid FROM jobs
        WHERE url = ? AND directory = ? AND output IS ? AND state NOT IN ('complete', 'failed')
          AND \(SQLiteStore.isSafe)
        ORDER BY id DESC LIMIT 1
        """)
    let newest = try db.cachedStatement(
      sql: """
        SELECT id, uuid, state FROM jobs WHERE url = ? AND directory = ? AND output IS ? AND \(SQLiteStore.isSafe)
        ORDER BY id DESC LIMIT 1
        """)
    let mayBeDone = try seen != nil && isPresent(db, .complete)
    var groups: [JobGroup: GroupID] = [:]
    // Nearly all jobs of a list are new. Look their URLs up together: one by one would cost as much as adding them.
    var known = try SQLiteStore.known(db, specifications.lazy.map(\.request.url))
    return try specifications.enumerated().map { index, specification in
      let chosen = entrance.uuids[index]
      if let chosen, let same = try SQLiteStore.known(db, chosen) { return same }
      let url = specification.request.url
      let isKnown = !known.insert(url.string).inserted && !isApart
      let group = try specification.group.map { group in
        if let known = groups[group] { return known }
        let id = try SQLiteStore.groupID(db, group, now: now)
        groups[group] = id
        return id
      }
      // An unsafe request is a new job each time (P10).
      if isKnown, specification.request.isSafe,
        let row = try Row.fetchOne(
          same, arguments: [url.string, specification.directory, specification.output])
      {
        let added = AddedJob(id: try row[0], uuid: try row[1], existing: true)
        try SQLiteStore.schedule(db, added.id, specification, now: now)
        if let group { try SQLiteStore.enter(db, added.id, group) }
        return added
      }
      if isKnown, mayBeDone, specification.request.isSafe, let seen,
        let row = try Row.fetchOne(
          newest, arguments: [url.string, specification.directory, specification.output]),
        try row[2] == JobState.complete.rawValue, !seen.contains(try row[0])
      {
        return AddedJob(id: try row[0], uuid: try row[1], existing: true)
      }
      let name = try specification.output.map { output in
        try Targets.free(
          output, in: specification.directory, policy: specification.options.onConflict, db: db)
      }
      let uuid = chosen ?? UUID.random()
      let state: JobState = entrance.paused.contains(index) ? .paused : .queued
      var wanted = specification.options
      // A new job has published nothing, so it may repair no target.
      wanted.repairs = nil
      let row = NewRow(
        specification, uuid: uuid.uuidString, state: state, fileName: name, group: group, now: now,
        request: try requests.encode(specification.request), options: try options.encode(wanted))
      // Prepare the statement once for all rows.
      let statement = try insert ?? db.cachedStatement(sql: row.insert)
      insert = statement
      try statement.execute(arguments: row.arguments)
      let id = db.lastInsertedRowID
      if !specification.after.isEmpty { try Prerequisites.add(db, id, after: specification.after) }
      return AddedJob(id: id, uuid: uuid, existing: false)
    }
  }

  /// Returns the job whose files have this UUID.
  private static func known(_ db: Database, _ uuid: UUID) throws -> AddedJob? {
    let select = try db.cachedStatement(sql: "SELECT id FROM jobs WHERE uuid = ?")
    return try JobID.fetchOne(select, arguments: [uuid.uuidString]).map {
      AddedJob(id: $0, uuid: uuid, existing: true)
    }
  }

  /// Applies the new start time and prerequisites to a job that existed before.
  private static func schedule(
    _ db: Database, _ id: JobID, _ specification: JobSpecification, now: Double
  ) throws {
    try Prerequisites.add(db, existing: id, after: specification.after)
    guard let time = specification.startAt else { return }
    try db.execute(
      sql: "UPDATE jobs SET start_at = ?, waiting_since = ? WHERE id = ? AND state <> 'active'",
      arguments: [time, now, id])
  }
}
