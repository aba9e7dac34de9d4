// Copies of documents, and the feed entries seen so far.

import DrayCore
import SQLite

extension SQLiteStore {
  func feeds() async throws(Failure) -> [StoredFeed] {
    try await look { db in
      try Row.fetchAll(db, sql: "SELECT feed, count(*) FROM feed_entries GROUP BY feed ORDER BY feed").map { row in
        StoredFeed(url: try row[0], entries: try row[1])
      }
    }
  }

  func document(_ url: RequestURL) async throws(Failure) -> StoredDocument? {
    try await look { db in
      guard
        let row = try Row.fetchOne(
          db, sql: "SELECT final_url, etag, last_modified, fetched_at, content FROM documents WHERE url = ?",
          arguments: [url.string])
      else { return nil }
      return StoredDocument(
        url: url, finalURL: (try? RequestURL.parse(row[0]).url) ?? url,
        validators: Validators(etag: try row[1], lastModified: try row[2]), fetchedAt: try row[3], content: try row[4])
    }
  }

  func keep(_ document: StoredDocument) async throws(Failure) {
    try await write(.lazy) { db in
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO documents (url, final_url, etag, last_modified, fetched_at, content)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          document.url.string, document.finalURL.string, document.validators.etag, document.validators.lastModified,
          document.fetchedAt, document.content,
        ])
    }
  }

  func known(_ guids: [String], in feeds: [String]) async throws(Failure) -> Set<String> {
    try await look { db in
      let select = try db.makeStatement(sql: "SELECT 1 FROM feed_entries WHERE feed = ? AND guid = ?")
      return Set(
        try guids.filter { guid in
          try feeds.contains { feed in try Int.fetchOne(select, arguments: [feed, guid]) != nil }
        })
    }
  }

  /// Remembers entries in the transaction that adds their jobs (P3).
  static func remember(_ marks: some Sequence<FeedMark>, _ db: Database, now: Double) throws {
    let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO feed_entries (feed, guid, added_at) VALUES (?, ?, ?)")
    for mark in marks { try insert.execute(arguments: [mark.feed, mark.guid, now]) }
  }
}
