// Records the feed entries of added jobs.

internal import DrayCore
internal import SQLite

extension SQLiteStore {
  static func remember(_ marks: Set<FeedMark>, _ db: Database, now: Double) throws {
    let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO feed_entries (feed, guid, added_at) VALUES (?, ?, ?)")
    for mark in marks { try insert.execute(arguments: [mark.feed, mark.guid, now]) }
  }
}
