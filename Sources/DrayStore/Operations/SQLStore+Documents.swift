// Keeps copies of documents, and records the feed entries that were handled.

internal import DrayCore

extension SQLStore {
  func feeds() async throws(Failure) -> [StoredFeed] {
    try await look { db in
      try db.rows("SELECT feed, count(*) FROM feed_entries GROUP BY feed ORDER BY feed").map { row in
        StoredFeed(url: try row[0], entries: try row[1])
      }
    }
  }

  func document(_ url: RequestURL) async throws(Failure) -> StoredDocument? {
    try await look { db in
      guard
        let row = try db.first(
          """
          SELECT final_url, etag, last_modified, fetched_at, content FROM documents
          WHERE \(sqlite: "url = ", postgres: "key = md5(")\(url.string)\(postgres: ")")
          """)
      else { return nil }
      return StoredDocument(
        url: url, finalURL: (try? RequestURL.parse(row[0]).url) ?? url,
        validators: Validators(etag: try row[1], lastModified: try row[2]), fetchedAt: try row[3], content: try row[4])
    }
  }

  func keep(_ document: StoredDocument) async throws(Failure) {
    try await transaction(.lazy, announces: false) { db in
      try db.run(
        """
        INSERT INTO documents (url, final_url, etag, last_modified, fetched_at, content)
        VALUES (\(document.url.string), \(document.finalURL.string), \(document.validators.etag),
          \(document.validators.lastModified), \(document.fetchedAt), \(document.content))
        ON CONFLICT (\(sqlite: "url", postgres: "key")) DO UPDATE SET final_url = excluded.final_url,
          etag = excluded.etag, last_modified = excluded.last_modified, fetched_at = excluded.fetched_at,
          content = excluded.content
        """)
    }
  }

  func known(_ guids: [String], in feeds: [String]) async throws(Failure) -> Set<String> {
    guard !guids.isEmpty, !feeds.isEmpty else { return [] }
    return try await look { db in
      // The first condition must be the same as that of the index; otherwise the index is not used.
      Set(
        try db.values(
          """
          SELECT wanted.value FROM \(each: guids, "wanted") WHERE EXISTS (
            SELECT 1 FROM \(each: feeds, "source") JOIN feed_entries
              ON \(postgres: "key = md5(source.value || chr(10) || wanted.value) AND")
                feed = source.value AND guid = wanted.value)
          """, as: String.self))
    }
  }
}
