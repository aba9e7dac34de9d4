// Named queues: their settings, the counts for their quotas, and their active jobs.

import DrayCore
import SQLite

extension SQLiteStore {
  func queues() async throws(Failure) -> [NamedQueue] {
    try await look { db in
      let rows = try Row.fetchAll(
        db.cachedStatement(sql: "SELECT name, settings, used, used_since FROM queues ORDER BY name"))
      return try rows.map { row in try SQLiteStore.queue(row) }
    }
  }

  private static func queue(_ row: Row) throws -> NamedQueue {
    NamedQueue(
      try row[0], try JSONColumn<QueueSettings>.value(try row[1]),
      usage: QueueUsage(bytes: try row[2], since: try row[3]))
  }

  func changeQueue(
    _ name: String, _ change: @escaping @Sendable (inout QueueSettings) -> Void
  ) async throws(Failure) -> NamedQueue {
    try await write(.durable) { db in
      let select = "SELECT name, settings, used, used_since FROM queues WHERE name = ?"
      let row = try Row.fetchOne(db, sql: select, arguments: [name])
      var queue = try row.map { try SQLiteStore.queue($0) } ?? NamedQueue(name)
      change(&queue.settings)
      try db.execute(
        sql: "INSERT OR REPLACE INTO queues (name, settings, used, used_since) VALUES (?, ?, ?, ?)",
        arguments: [name, try JSONColumn.text(queue.settings), queue.usage.bytes, queue.usage.since])
      return queue
    }
  }

  func removeQueue(_ name: String) async throws(Failure) -> Bool {
    try await write(.durable) { db in
      try db.execute(sql: "DELETE FROM queues WHERE name = ?", arguments: [name])
      return db.changesCount == 1
    }
  }

  func queueCounts() async throws(Failure) -> [String: [JobState: Int]] {
    try await look { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT queue, state, count(*) FROM jobs INDEXED BY jobs_named_queue
          WHERE queue IS NOT NULL GROUP BY queue, state
          """)
      var counts: [String: [JobState: Int]] = [:]
      for row in rows {
        let name: String = try row[0]
        guard let state = JobState(rawValue: try row[1]) else { continue }
        counts[name, default: [:]][state] = try row[2] as Int
      }
      return counts
    }
  }

  func addUsage(_ bytes: Int64, of queue: String, since begin: Double) async throws(Failure) {
    try await write(.lazy) { db in
      try db.execute(
        sql: """
          UPDATE queues SET used = iif(used_since = :begin, used, 0) + :bytes, used_since = :begin WHERE name = :name
          """, arguments: ["begin": begin, "bytes": bytes, "name": queue])
    }
  }
}

extension QueueGates {
  /// Returns the gates with the active jobs of all runners. Jobs being published hold no place.
  func withActive(_ db: Database) throws -> QueueGates {
    guard !limits.isEmpty else { return self }
    var all = self
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT queue, count(*) FROM jobs INDEXED BY jobs_runner
          WHERE runner IS NOT NULL AND queue IS NOT NULL AND publishing IS NULL GROUP BY queue
          """))
    while let row = try rows.next() { all.add(try row[1], to: try row[0]) }
    return all
  }
}
