// Keeps the settings of named queues and the counts for their quotas, and counts their jobs.

internal import DrayCore

extension SQLStore {
  func queues() async throws(Failure) -> [NamedQueue] {
    try await look { db in
      try db.rows("SELECT name, settings, used, used_since FROM queues ORDER BY name").map { try NamedQueue($0) }
    }
  }

  func changeQueue(
    _ name: String, _ change: @escaping @Sendable (inout QueueSettings) -> Void
  ) async throws(Failure) -> NamedQueue {
    try await transaction(.durable) { db in
      let empty = try JSONColumn.text(NamedQueue(name).settings)
      try db.run("INSERT INTO queues (name, settings) VALUES (\(name), \(empty)) ON CONFLICT DO NOTHING")
      let row = try db.first(
        "SELECT name, settings, used, used_since FROM queues WHERE name = \(name)\(.forUpdate)")
      var queue = try row.map { try NamedQueue($0) } ?? NamedQueue(name)
      change(&queue.settings)
      try db.run("UPDATE queues SET settings = \(try JSONColumn.text(queue.settings)) WHERE name = \(name)")
      return queue
    }
  }

  func removeQueue(_ name: String) async throws(Failure) -> Bool {
    try await transaction(.durable) { db in try db.run("DELETE FROM queues WHERE name = \(name)") == 1 }
  }

  func queueCounts() async throws(Failure) -> [String: [JobState: Int]] {
    try await look { db in
      let rows = try db.rows(
        """
        SELECT queue, state, \(sqlite: "count(*) FROM jobs INDEXED BY jobs_named_queue", postgres: "sum(jobs) FROM tallies")
        WHERE queue IS NOT NULL GROUP BY 1, 2 \(postgres: "HAVING sum(jobs) <> 0")
        """)
      var counts: [String: [JobState: Int]] = [:]
      for row in rows {
        guard let state = JobState(rawValue: try row[1]) else { continue }
        counts[try row[0], default: [:]][state] = try row[2] as Int
      }
      return counts
    }
  }

  func addUsage(_ bytes: Int64, of queue: String, since begin: Double) async throws(Failure) {
    try await transaction(.lazy) { db in
      try db.run(
        """
        UPDATE queues SET used = CASE WHEN used_since = \(begin) THEN used ELSE 0 END + \(bytes), used_since = \(begin)
        WHERE name = \(queue)
        """)
    }
  }
}

extension NamedQueue {
  fileprivate init(_ row: some SelectedRow) throws {
    self.init(
      try row[0], try JSONColumn<QueueSettings>.value(try row[1]),
      usage: QueueUsage(bytes: try row[2], since: try row[3]))
  }
}
