// The feed entries of added jobs.

import DrayCore
import SQLite

extension SQLiteStore {
  /// Remembers entries in the transaction that adds their jobs (P3).
  static func remember(_ marks: some Sequence<FeedMark>, _ db: Database, now: Double) throws {
    let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO feed_entries (feed, guid, added_at) VALUES (?, ?, ?)")
    for mark in marks { try insert.execute(arguments: [mark.feed, mark.guid, now]) }
  }
}
