// Stores the marks of shares, and the feed entries of added jobs.

#if Postgres

internal import DrayCore
internal import Postgres

extension PostgresStore {
  /// The mark of a share is a setting whose name is this prefix and the path.
  private static let sharePrefix = "share "

  func shares() async throws(Failure) -> [String: String] {
    try await look { db in
      let prefix = PostgresStore.sharePrefix
      let rows = try db.rows("SELECT name, value FROM settings WHERE starts_with(name, \(prefix))")
      return Dictionary(
        try rows.map { (String((try $0[0] as String).dropFirst(prefix.count)), try $0[1]) }, uniquingKeysWith: { $1 })
    }
  }

  func enter(share path: String, mark: String) async throws(Failure) -> String {
    let name = PostgresStore.sharePrefix + path
    return try await write(.durable, announces: false) { db in
      try db.run("INSERT INTO settings (name, value) VALUES (\(name), \(mark)) ON CONFLICT DO NOTHING")
      return try db.value("SELECT value FROM settings WHERE name = \(name)") ?? mark
    }
  }

  static func remember(_ marks: Set<FeedMark>, _ db: FleetSession, now: Double) throws {
    guard !marks.isEmpty else { return }
    let all = Array(marks)
    try db.run(
      """
      INSERT INTO feed_entries (feed, guid, added_at)
      SELECT feed, guid, \(now) FROM unnest(\(all.map(\.feed)), \(all.map(\.guid))) AS marks (feed, guid)
      ON CONFLICT DO NOTHING
      """)
  }
}

#endif
